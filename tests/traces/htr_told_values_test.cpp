// Values that a chunk leaves out, because the events before it tell them.
#include "encoder_object.h"
#include "test_files.h"
#include "traces/htr/reader.h"
#include "traces/htr/trace_chunker.h"
#include "traces/htr/write_trace.h"
#include "traces/htr/writer.h"
#include "traces/trace_builder.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace heddle {
namespace {

using test::TemporaryFolder;
using testing::HasSubstr;
using testing::SizeIs;

/// One thread's accesses of one variable, written by hand.
class ToldValues : public testing::Test {
  protected:
    ToldValues() : writer_(htr::Writer::create(path_, {}).value()), stream_(writer_->open_stream()) {
        thread_ = test::object_with_key(encoder(), ObjectKind::thread, 0);
        variable_ = test::object_with_key(encoder(), ObjectKind::variable, 0);
    }

    htr::ChunkEncoder& encoder() { return stream_->encoder(); }
    void add(const htr::SiteEntry& site, std::uint64_t value, std::uint64_t value_read = 0) {
        encoder().add_event(thread_, stamp_++, encoder().add_site(site), variable_, value, value_read);
    }
    htr::HtrTrace read() {
        EXPECT_TRUE(stream_->flush(htr::kAllStamps));
        stream_.reset();
        EXPECT_TRUE(writer_->close());
        return htr::read_trace(path_).value();
    }

  private:
    TemporaryFolder folder_;
    std::string path_ = folder_.file("t.htr");
    std::unique_ptr<htr::Writer> writer_;
    std::unique_ptr<htr::Stream> stream_;
    std::uint32_t thread_ = 0;
    std::uint32_t variable_ = 0;
    std::uint64_t stamp_ = 0;
};

std::vector<std::optional<std::uint64_t>> values_of(const Trace& trace) {
    std::vector<std::optional<std::uint64_t>> values;
    for (const EventView event : trace.events())
        values.push_back(event.has_value() ? std::optional(trace.value_of(event)) : std::nullopt);
    return values;
}

constexpr htr::SiteEntry kWrite{.kind = EventKind::write, .has_value = true};
constexpr htr::SiteEntry kWriteOfSomething{.kind = EventKind::write, .bytes = {2, 1}};
constexpr htr::SiteEntry kToldRead{.kind = EventKind::read, .has_value = true, .is_told = true};

TEST_F(ToldValues, are_filled_in_byte_by_byte) {
    add(kWrite, 0x1122334455667788);
    add({.kind = EventKind::write, .bytes = {1, 2}, .has_value = true}, 0xABCD);
    add({.kind = EventKind::read, .bytes = {0, 4}, .has_value = true, .is_told = true}, 0x55ABCD88);
    add({.kind = EventKind::atomic_rmw, .order = MemoryOrder::relaxed, .has_value = true, .is_told = true}, 7,
        0x1122334455ABCD88);
    add(kToldRead, 7);
    const htr::HtrTrace back = read();
    EXPECT_TRUE(back.damage.empty());
    EXPECT_THAT(values_of(back.trace), testing::ElementsAre(0x1122334455667788, 0xABCD, 0x55ABCD88, 7, 7));
    EXPECT_EQ(back.trace.value_read_by(back.trace[EventId{3U}]), 0x1122334455ABCD88);
}

TEST_F(ToldValues, that_nothing_tells_are_damage) {
    add(kWrite, 5);
    add(kWriteOfSomething, 0);
    add(kToldRead, 5);
    const htr::HtrTrace back = read();
    EXPECT_THAT(values_of(back.trace), testing::ElementsAre(5, std::nullopt, std::nullopt));
    ASSERT_THAT(back.damage.kept(), SizeIs(1));
    EXPECT_THAT(back.damage.kept()[0].text(), HasSubstr("the events before it do not tell the values"));
}

TEST_F(ToldValues, that_are_others_than_the_writer_saw_are_damage) {
    add(kWrite, 5);
    add(kToldRead, 6);
    ASSERT_THAT(read().damage.kept(), SizeIs(1));
}

TEST(HtrToldValues, make_a_trace_smaller_whose_reads_see_what_was_written) {
    TraceBuilder builder;
    const ThreadId thread{builder.add_object(ObjectKind::thread, {})};
    const std::uint32_t variable = builder.add_object(ObjectKind::variable, {});
    std::uint64_t value = 1;
    for (int i = 0; i < 10'000; ++i) {
        value *= 0x9E37'79B9'7F4A'7C15U;
        for (const EventKind kind : {EventKind::write, EventKind::read, EventKind::read})
            builder.add({.kind = kind, .thread = thread, .target = variable, .value = value});
    }
    const Trace trace = builder.snapshot();
    const TemporaryFolder folder;
    ASSERT_TRUE(htr::write_trace(trace, folder.file("t.htr"), {}, {}));
    // Each value is told once: it does not compress.
    EXPECT_LT(std::filesystem::file_size(folder.file("t.htr")), 10'000U * 12);
    EXPECT_EQ(htr::read_trace(folder.file("t.htr"))->trace, trace);
}

} // namespace
} // namespace heddle
