// History chunks: events that were written after later ones, because nobody needed them before.
#include "encoder_object.h"
#include "test_files.h"
#include "traces/htr/reader.h"
#include "traces/htr/writer.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::htr {
namespace {

using testing::ElementsAre;

/// Writes accesses of threads to one variable; each access has a size that tells it from the others.
class Script {
  public:
    explicit Script(const std::string& path) {
        auto created = Writer::create(path, {});
        EXPECT_TRUE(created);
        writer_ = std::move(*created);
    }

    void open(std::uint64_t thread) { streams_.emplace(thread, writer_->open_stream()); }
    void event(std::uint64_t thread, std::uint64_t stamp, std::uint8_t size, std::uint64_t stable_below) {
        add(streams_.at(thread)->encoder(), thread, stamp, size);
        EXPECT_TRUE(streams_.at(thread)->flush(stable_below));
    }
    void history(std::uint64_t thread, std::uint64_t stamp, std::uint8_t size) {
        ChunkEncoder encoder;
        add(encoder, thread, stamp, size);
        EXPECT_TRUE(writer_->append_history(encoder, press_));
    }
    void close() { EXPECT_TRUE(writer_->close()); }

  private:
    static void add(ChunkEncoder& encoder, std::uint64_t thread, std::uint64_t stamp, std::uint8_t size) {
        const std::uint32_t who = test::object_with_key(encoder, ObjectKind::thread, thread);
        const std::uint32_t what = test::object_with_key(encoder, ObjectKind::variable, 1);
        const std::uint32_t site = encoder.add_site({.kind = EventKind::write, .bytes = {0, size}});
        encoder.add_event(who, stamp, site, what, 0, 0);
    }

    std::unique_ptr<Writer> writer_;
    std::map<std::uint64_t, std::unique_ptr<Stream>> streams_;
    ChunkPress press_;
};

std::vector<int> sizes(const Trace& trace) {
    std::vector<int> result;
    for (const EventView event : trace.events()) result.push_back(event.bytes().size);
    return result;
}

TEST(HtrHistory, comes_where_its_stamps_say) {
    const test::TemporaryFolder folder;
    Script script(folder.file("trace.htr"));
    script.open(1);
    script.open(2);
    script.event(1, 10, 2, 100);
    script.event(2, 20, 4, 100);
    script.history(1, 5, 1);
    script.history(1, 15, 3);
    script.close();
    const auto read = read_trace(folder.file("trace.htr"));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_THAT(sizes(read->trace), ElementsAre(1, 2, 3, 4));
    EXPECT_TRUE(read->damage.empty());
}

TEST(HtrHistory, comes_after_the_streams_at_the_same_stamp) {
    const test::TemporaryFolder folder;
    Script script(folder.file("trace.htr"));
    script.open(1);
    script.history(1, 10, 2);
    script.event(1, 10, 1, 100);
    script.close();
    const auto read = read_trace(folder.file("trace.htr"));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_THAT(sizes(read->trace), ElementsAre(1, 2));
}

TEST(HtrHistory, of_a_past_that_was_read_already_makes_the_reader_begin_again) {
    const test::TemporaryFolder folder;
    Script script(folder.file("trace.htr"));
    script.open(1);
    script.event(1, 10, 1, 50);
    auto reader = Reader::open(folder.file("trace.htr"), {});
    ASSERT_TRUE(reader) << reader.error().message;
    EXPECT_EQ((*reader)->poll(), Reader::State::growing);
    EXPECT_THAT(sizes((*reader)->trace()), ElementsAre(1));

    script.history(1, 60, 3);
    script.event(1, 70, 4, 80);
    EXPECT_EQ((*reader)->poll(), Reader::State::growing);
    EXPECT_THAT(sizes((*reader)->trace()), ElementsAre(1, 3, 4));

    script.history(1, 20, 2);
    EXPECT_EQ((*reader)->poll(), Reader::State::replaced);
    auto again = Reader::open(folder.file("trace.htr"), {});
    ASSERT_TRUE(again) << again.error().message;
    (*again)->poll();
    EXPECT_THAT(sizes((*again)->trace()), ElementsAre(1, 2, 3, 4));
}

} // namespace
} // namespace heddle::htr
