// memory → .htr → memory is the identity, whatever is in the trace and however it is cut into chunks.
#include "encoder_object.h"
#include "test_files.h"
#include "traces/generator.h"
#include "traces/htr/chunk_scanner.h"
#include "traces/htr/reader.h"
#include "traces/htr/trace_chunker.h"
#include "traces/htr/write_trace.h"
#include "traces/htr/writer.h"

#include <filesystem>
#include <random>

#include <gmock/gmock.h>

namespace heddle {
namespace {

using test::TemporaryFolder;

Trace written_and_read(const Trace& trace, const htr::WriteTraceOptions& options) {
    const TemporaryFolder folder;
    const std::string path = folder.file("t.htr");
    const auto written = htr::write_trace(trace, path, options);
    EXPECT_TRUE(written.has_value()) << written.error().message;
    auto back = htr::read_trace(path);
    if (!back) {
        ADD_FAILURE() << back.error().message;
        return {};
    }
    EXPECT_TRUE(back->damage.empty()) << back->damage.kept()[0].text();
    return back->trace;
}

TEST(HtrRoundTrip, generated_traces_of_every_kind_mix) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Trace trace = generate(every_kind(seed));
        const htr::WriteTraceOptions options{.zstd_level = static_cast<int>(seed % 5) - 1,
                                             .events_per_chunk = 1 + seed % 97,
                                             .stream_per_thread = seed % 2 == 1};
        ASSERT_EQ(written_and_read(trace, options), trace) << "seed " << seed;
    }
}

TEST(HtrRoundTrip, tables_metadata_and_unused_rows) {
    TraceBuilder builder;
    builder.metadata() = {.command = {"./bank", "--fast", ""},
                          .test = "Bank.deposit",
                          .start_time_unix_ns = -5,
                          .duration_ns = 17,
                          .exit_status = 139,
                          .settings = {{"values", "on"}, {"", "empty name"}}};
    const ModuleId module = builder.module({.path = builder.string("/lib/libbank.so"),
                                            .build_id = builder.string("c0ffee"),
                                            .base = 0x7f00,
                                            .size = 12});
    const PlaceId code = builder.place({.module = module, .offset = 0x41c2});
    const PlaceId source = builder.place(
        {.function = builder.string("deposit"), .file = builder.string("bank.cpp"), .line = 41});
    const StackId outer = builder.stack({.place = source, .caller = {}});
    const StackId inner = builder.stack({.place = code, .caller = outer});
    builder.add_object(ObjectKind::block, {.address = 0x1000, .size = 64});
    builder.add_object(ObjectKind::block, {.address = 0x2000, .size = 64});
    // Same name twice, no name, a block referred to out of order, an object no event uses.
    builder.add_object(ObjectKind::lock, {.name = builder.string("mu"), .address = 8});
    builder.add_object(ObjectKind::lock, {.name = builder.string("mu"), .address = 16});
    builder.add_object(ObjectKind::variable, {.block = BlockId{1U}, .address = 0x2008, .size = 8});
    builder.add_object(ObjectKind::variable, {.block = BlockId{0U}});
    builder.add_object(ObjectKind::thread, {.name = builder.string("main"), .address = 4711});
    builder.add_object(ObjectKind::thread, {});
    builder.add({.kind = EventKind::acquire, .thread = ThreadId{0U}, .target = 1, .stack = inner});
    builder.add(
        {.kind = EventKind::write, .thread = ThreadId{0U}, .target = 1, .bytes = {2, 3}, .value = 0xABCDEF});
    builder.add({.kind = EventKind::txn_begin, .thread = ThreadId{1U}, .stack = outer});
    const Trace trace = builder.snapshot();
    EXPECT_EQ(written_and_read(trace, {}), trace);
    EXPECT_EQ(written_and_read(trace, {.stream_per_thread = true}), trace);
}

/// The size of a file of two equal chunks, made with these options; it must be readable.
std::uintmax_t size_of_two_chunks(const Trace& trace, const htr::WriterOptions& options) {
    const TemporaryFolder folder;
    const std::string path = folder.file("t.htr");
    auto writer = htr::Writer::create(path, options);
    if (!writer) return 0;
    const auto stream = (*writer)->open_stream();
    htr::TraceChunker chunker(trace);
    for (const std::uint64_t stamp : {0U, 1U}) {
        chunker.start_chunk(stream->encoder());
        for (const EventView event : trace.events()) chunker.event(event, stamp);
        EXPECT_TRUE(stream->flush(stamp + 1));
    }
    EXPECT_TRUE((*writer)->close());
    const auto back = htr::read_trace(path);
    EXPECT_TRUE(back && back->damage.empty() && back->trace.size() == 2 * trace.size());
    return std::filesystem::file_size(path);
}

TEST(HtrRoundTrip, a_small_file_is_compressed_better_until_it_is_large) {
    const Trace trace = generate({.seed = 3, .events = 20'000});
    const std::uintmax_t fast = size_of_two_chunks(trace, {.zstd_level = -7});
    const std::uintmax_t first_chunk = size_of_two_chunks(trace, {.zstd_level = -7, .small_file = 100});
    const std::uintmax_t both = size_of_two_chunks(trace, {.zstd_level = -7, .small_file = 1U << 30U});
    EXPECT_LT(both, first_chunk);
    EXPECT_LT(first_chunk, fast);
}

/// How many bytes of the file's chunks are stored as they are, behind what is compressed.
std::uint64_t plain_bytes(const std::string& path) {
    htr::ChunkScanner scanner(open_file(path).value(), {}, true);
    EXPECT_TRUE(scanner.start());
    std::uint64_t bytes = 0;
    while (scanner.next() == htr::ChunkScanner::Step::chunk) bytes += scanner.chunk().header.plain_bytes;
    return bytes;
}

TEST(HtrRoundTrip, what_does_not_shrink_is_not_compressed_where_time_counts) {
    TraceBuilder builder;
    const ThreadId thread{builder.add_object(ObjectKind::thread, {})};
    for (int i = 0; i < 5'000; ++i) builder.add_object(ObjectKind::variable, {});
    std::mt19937 random(1); // NOLINT(cert-msc51-cpp): the same each time
    constexpr std::uint32_t kEvents = 20'000;
    for (std::uint32_t i = 0; i < kEvents; ++i)
        builder.add({.kind = EventKind::read,
                     .thread = thread,
                     .target = static_cast<std::uint32_t>(random() % 5'000)});
    const Trace trace = builder.snapshot();
    const TemporaryFolder folder;
    const std::string path = folder.file("t.htr");
    ASSERT_TRUE(htr::write_trace(trace, path, {.zstd_level = -7}));
    EXPECT_GE(plain_bytes(path), 2 * kEvents);
    EXPECT_EQ(htr::read_trace(path)->trace, trace);
    ASSERT_TRUE(htr::write_trace(trace, path, {.zstd_level = 3}));
    EXPECT_EQ(plain_bytes(path), 0U);
}

TEST(HtrRoundTrip, an_empty_trace) {
    const Trace trace = TraceBuilder().snapshot();
    EXPECT_EQ(written_and_read(trace, {}), trace);
}

TEST(HtrRoundTrip, deep_recursion_in_a_stack) {
    TraceBuilder builder;
    const ThreadId t0{builder.object_named(ObjectKind::thread, "T0")};
    const PlaceId place = builder.place({.label = builder.string("f")});
    StackId stack;
    for (int depth = 0; depth < 100'000; ++depth) stack = builder.stack({.place = place, .caller = stack});
    builder.add({.kind = EventKind::thread_begin, .thread = t0, .stack = stack});
    const Trace trace = builder.snapshot();
    EXPECT_EQ(written_and_read(trace, {}), trace);
}

TEST(HtrRoundTrip, tables_larger_than_a_chunk) {
    TraceBuilder builder;
    const ThreadId t0{builder.object_named(ObjectKind::thread, "T0")};
    for (int i = 0; i < 200'000; ++i) {
        const std::uint32_t variable =
            builder.object_named(ObjectKind::variable, "a rather long variable name " + std::to_string(i));
        builder.add({.kind = EventKind::write,
                     .thread = t0,
                     .target = variable,
                     .value = static_cast<std::uint64_t>(i) << 40U});
    }
    const Trace trace = builder.snapshot();
    EXPECT_EQ(written_and_read(trace, {}), trace);
}

TEST(HtrRoundTrip, equal_stamps_in_a_run_are_kept_in_order) {
    // Recorders may stamp coarsely. What they wrote in one stream stays in its order.
    const TemporaryFolder folder;
    auto writer = htr::Writer::create(folder.file("t.htr"), {});
    ASSERT_TRUE(writer.has_value());
    {
        const auto stream = (*writer)->open_stream();
        htr::ChunkEncoder& encoder = stream->encoder();
        const std::uint32_t thread = test::object_with_key(encoder, ObjectKind::thread, 99);
        const std::uint32_t x = test::object_with_key(encoder, ObjectKind::variable, 7);
        const std::uint32_t site = encoder.add_site({.kind = EventKind::write, .has_value = true});
        for (const std::uint64_t stamp : {5U, 5U, 5U, 6U, 7U, 9U, 9U}) {
            encoder.add_event(thread, stamp, site, x, encoder.events(), 0);
        }
        ASSERT_TRUE(stream->flush(10));
    }
    ASSERT_TRUE((*writer)->close());
    const auto back = htr::read_trace(folder.file("t.htr"));
    ASSERT_TRUE(back.has_value());
    EXPECT_TRUE(back->damage.empty());
    ASSERT_EQ(back->trace.size(), 7U);
    for (const EventView event : back->trace.events())
        EXPECT_EQ(back->trace.value_of(event), event.id().value);
}

TEST(HtrRoundTrip, equal_stamps_of_two_streams_are_ordered_by_stream) {
    const TemporaryFolder folder;
    auto writer = htr::Writer::create(folder.file("t.htr"), {});
    ASSERT_TRUE(writer.has_value());
    {
        const auto first = (*writer)->open_stream();
        const auto second = (*writer)->open_stream();
        for (const auto& stream : {&second, &first}) {
            htr::ChunkEncoder& encoder = (*stream)->encoder();
            const std::uint32_t thread =
                test::object_with_key(encoder, ObjectKind::thread, stream == &first ? 1U : 2U);
            const std::uint32_t site = encoder.add_site({.kind = EventKind::thread_begin});
            for (int i = 0; i < 2; ++i) encoder.add_event(thread, 5, site, std::nullopt, 0, 0);
            ASSERT_TRUE((*stream)->flush(6));
        }
    }
    ASSERT_TRUE((*writer)->close());
    const auto back = htr::read_trace(folder.file("t.htr"));
    ASSERT_TRUE(back.has_value());
    std::vector<std::uint32_t> threads;
    for (const EventView event : back->trace.events()) threads.push_back(event.thread().value);
    // The second stream's chunk came first in the file, so its thread has id 0.
    EXPECT_THAT(threads, testing::ElementsAre(1, 1, 0, 0));
}

} // namespace
} // namespace heddle
