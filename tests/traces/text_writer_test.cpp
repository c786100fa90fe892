#include "test_files.h"
#include "text_of.h"
#include "traces/trace_builder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

void expect_round_trip(const Trace& trace) {
    const std::string text = text_of(trace);
    EXPECT_EQ(trace_of(text), trace) << text;
}

TEST(TextWriter, writes_lines_as_a_person_would) {
    const std::string text = "T0|fork(T1)|main.cpp:3\n"
                             "T1|thread_begin\n"
                             "T1|acq(m)|deposit@bank.cpp:41:9 < main@main.cpp:3\n"
                             "T1|w(balance)|345|=5\n"
                             "T1|r(balance)||=5 bytes=0+4\n"
                             "T1|atomic_rmw(n)|x|=1->2 relaxed\n"
                             "T1|atomic_load(n)|x\n"
                             "T1|fence||acquire\n"
                             "T1|notify(c)|x|ticket=4\n"
                             "T0|wait_post(c)|x|ticket=4\n"
                             "T0|wait_post(c)|x|spurious\n"
                             "T0|barrier_enter(b)||round=1\n"
                             "T0|sem_init(s)||count=3\n"
                             "T0|begin\n"
                             "T0|end(tx)\n";
    EXPECT_EQ(text_of(trace_of(text)), text);
}

TEST(TextWriter, nothing_of_any_kind_of_event_is_lost) {
    std::string text;
    for (const KindTraits& kind : kKindTraits) {
        for (const char* thread : {"T1", "T2"}) {
            text += std::string(thread) + "|" + std::string(kind.text) + (kind.target ? "(a thing)" : "") +
                    "|p\n";
        }
    }
    expect_round_trip(trace_of(text));
}

TEST(TextWriter, metadata_modules_and_stacks_survive) {
    TraceBuilder builder;
    builder.metadata() = {.command = {"./tests", "", " --x ", "a\nb"},
                          .test = "A.b",
                          .start_time_unix_ns = -1,
                          .duration_ns = 7,
                          .exit_status = 139,
                          .settings = {{"", "odd"}, {"two words", ""}, {"seed", " 42 "}}};
    const ModuleId program = builder.module({.path = builder.string(""), .base = 0x1000, .size = 99});
    const ModuleId library =
        builder.module({.path = builder.string("/lib/my lib@2.so"), .build_id = builder.string("ab")});
    const ModuleId moved = builder.module({.path = builder.string("/lib/my lib@2.so"), .base = 5});
    const std::vector<Place> places = {
        {.label = builder.string("345")},
        {.label = builder.string("bank.cpp:12")},
        {.label = builder.string("place#0")},
        {.label = builder.string("/lib/my lib@2.so+0x12")},
        {.label = builder.string("<")},
        {.label = builder.string("0")},
        {.label = builder.string("-1")},
        {.label = builder.string(" a < b ")},
        {.label = builder.string(std::string_view("nul\0|", 5))},
        {},
        {.function = builder.string("f")},
        {.file = builder.string("a.cpp")},
        {.file = builder.string("a.cpp"), .line = 3},
        {.file = builder.string("a.cpp:7"), .line = 3},
        {.function = builder.string("operator< <int>"),
         .file = builder.string("/@x/a b.cpp"),
         .line = 3,
         .column = 4},
        {.function = builder.string("f@g"), .file = builder.string("a.cpp"), .line = 3, .column = 4},
        {.file = builder.string("/@x/a.cpp"), .line = 3},
        {.module = program, .offset = 0x12},
        {.module = library, .offset = 0},
        {.module = moved, .offset = 0x12},
        {.function = builder.string("f"),
         .file = builder.string("a=b.c"),
         .line = 1,
         .module = library,
         .offset = 1},
        {.label = builder.string("l"),
         .function = builder.string("f"),
         .file = builder.string("a"),
         .line = 1,
         .column = 2,
         .module = library,
         .offset = 1},
        {.line = 5, .column = 6, .offset = 7},
    };
    const ThreadId t0{builder.object_named(ObjectKind::thread, "T0")};
    StackId all;
    for (const Place& place : places) {
        const StackId alone = builder.stack({.place = builder.place(place), .caller = {}});
        all = builder.stack({.place = builder.place(place), .caller = all});
        builder.add({.kind = EventKind::thread_begin, .thread = t0, .stack = alone});
        builder.add({.kind = EventKind::thread_end, .thread = t0, .stack = all});
    }
    expect_round_trip(builder.snapshot());
}

TEST(TextWriter, objects_keep_their_numbers_names_and_attributes) {
    TraceBuilder builder;
    for (std::size_t i = 0; i < kObjectKinds; ++i) {
        const auto kind = static_cast<ObjectKind>(i);
        for (const char* name : {"", "mu", "mu", "", "mu~2", "# not a comment", "//", " x ", "a|b",
                                 "\xEF\xBB\xBFx", "=", "T0"}) {
            builder.add_object(kind, {.name = builder.string(name)});
        }
        builder.add_object(kind, {.address = 0x7f00, .size = 8});
        builder.add_object(kind, {.address = 0x7f00});
    }
    builder.add_object(ObjectKind::variable, {.name = builder.string("in"), .block = BlockId{3U}});
    for (std::uint32_t id = 14; id-- > 0;) {
        builder.add({.kind = EventKind::write, .thread = ThreadId{id}, .target = id});
        builder.add({.kind = EventKind::fork, .thread = ThreadId{1U}, .target = id});
        builder.add({.kind = EventKind::acquire, .thread = ThreadId{1U}, .target = id});
    }
    expect_round_trip(builder.snapshot());
}

TEST(TextWriter, declares_objects_only_when_lines_do_not) {
    EXPECT_THAT(text_of(trace_of("B fork(A)\nA w(x)\n")), testing::Not(HasSubstr("#!")));
    EXPECT_EQ(text_of(trace_of("#! object lock unused\nT w(x)\n")), "#! object lock unused\nT|w(x)\n");
    EXPECT_EQ(text_of(trace_of("#! object variable y\n#! object variable x\nT w(x)\nT w(y)\n")),
              "#! object variable y\n#! object variable x\nT|w(x)\nT|w(y)\n");
}

TEST(TextWriter, matching_that_is_absent_stays_absent) {
    TraceBuilder builder;
    const ThreadId t0{builder.object_named(ObjectKind::thread, "T0")};
    const std::uint32_t c = builder.object_named(ObjectKind::condition, "c");
    const std::uint32_t b = builder.object_named(ObjectKind::barrier, "b");
    for (const EventKind kind :
         {EventKind::wait_pre, EventKind::notify, EventKind::notify_all, EventKind::wait_post}) {
        builder.add({.kind = kind, .thread = t0, .target = c});
    }
    builder.add({.kind = EventKind::notify, .thread = t0, .target = c, .value = ~std::uint64_t{0}});
    builder.add({.kind = EventKind::barrier_enter, .thread = t0, .target = b});
    builder.add({.kind = EventKind::barrier_leave, .thread = t0, .target = b});
    expect_round_trip(builder.snapshot());
}

TEST(TextWriter, says_what_breaks_the_rules_of_events) {
    TraceBuilder builder;
    const ThreadId t0{builder.object_named(ObjectKind::thread, "T0")};
    const std::uint32_t x = builder.object_named(ObjectKind::variable, "x");
    builder.add({.kind = EventKind::write, .thread = t0, .target = x, .bytes = {0, 1}, .value = 256});
    builder.add({.kind = EventKind::fence, .thread = t0});
    builder.add({.kind = EventKind::thread_end, .thread = t0, .value = 1});
    MemorySink sink;
    const auto report = write_text(builder.snapshot(), sink);
    ASSERT_TRUE(report.has_value());
    EXPECT_THAT(report->notes,
                ElementsAre("1 values were cut to the bytes of their access",
                            "1 values were left out: their events take none",
                            "1 atomic operations without a memory order are read back as seq_cst"));
    EXPECT_TRUE(trace_of(sink.bytes()).size() == 3);
}

TEST(TextWriter, plain_traces_hold_what_rapid_reads) {
    const Trace trace = trace_of("#! object lock mu~2 name=mu\n"
                                 "main thread|fork(T1)|main.cpp:3\n"
                                 "T1|acq(mu)|17\nT1|acq(mu~2)|18\n"
                                 "T1|w(x)|deposit@bank.cpp:41:9 < main@main.cpp:3|=5\n"
                                 "T1|atomic_load(x)|17\nT1|acq_shared(mu)|17\nT1|fence\nT1|fence\n"
                                 "T1|begin\nT1|end(tx)|17\nT1|r(x)\nmain thread|join(T1)|main.cpp:3\n");
    MemorySink sink;
    const auto report = write_text(trace, sink, {.plain = true});
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ(sink.bytes(),
              "main_thread|fork(T1)|19\nT1|acq(mu~2)|17\nT1|acq(mu)|18\nT1|w(x)|23\nT1|begin|0\n"
              "T1|end(tx)|17\nT1|r(x)|0\nmain_thread|join(T1)|19\n");
    EXPECT_EQ(report->events_written, 8U);
    EXPECT_EQ(report->events_left_out, 4U);
    EXPECT_THAT(report->notes, ElementsAre("events left out: 1 atomic_load, 2 fence, 1 acq_shared",
                                           "1 values were left out", "places were written as numbers",
                                           "1 thread without a unique plain name was renamed",
                                           "1 lock without a unique plain name was renamed"));
}

TEST(Trace, equality_is_about_what_is_said_not_how_it_is_numbered) {
    const Trace trace = trace_of("T w(x) @a < b\nT w(x) @b\n");
    EXPECT_EQ(trace_of("#! object thread T\n#! place unused file=f line=1\nT w(x) @a < b\nT w(x) @b\n"),
              trace);
    for (const char* other :
         {"T w(x) @a < b\nT w(x) @a\n", "T w(x) @a\nT w(x) @b\n", "T w(x) @a < b\n",
          "T w(x) @a < c\nT w(x) @b\n", "T w(y) @a < b\nT w(y) @b\n", "T w(x) @a < b =1\nT w(x) @b\n",
          "T w(x) @a < b\nT r(x) @b\n", "#! object lock m\nT w(x) @a < b\nT w(x) @b\n",
          "#! meta test t\nT w(x) @a < b\nT w(x) @b\n", "#! module m\nT w(x) @a < b\nT w(x) @b\n"}) {
        EXPECT_FALSE(trace_of(other) == trace) << other;
    }
}

class FileSinkTest : public testing::Test {
  protected:
    [[nodiscard]] std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder_))
            names.push_back(entry.path().filename());
        return names;
    }

    test::TemporaryFolder temporary_;
    std::filesystem::path folder_{temporary_.file("")};
};

TEST_F(FileSinkTest, the_file_appears_when_it_is_finished) {
    FileSink sink(folder_ / "t.std");
    ASSERT_TRUE(sink.write("T|w(x)\n").has_value());
    EXPECT_FALSE(std::filesystem::exists(folder_ / "t.std"));
    ASSERT_TRUE(sink.finish().has_value());
    EXPECT_THAT(files(), ElementsAre("t.std"));
    std::ifstream file(folder_ / "t.std");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "T|w(x)\n");
}

TEST_F(FileSinkTest, an_unfinished_file_leaves_nothing_behind) {
    {
        FileSink sink(folder_ / "t.std");
        ASSERT_TRUE(sink.write("half").has_value());
    }
    EXPECT_THAT(files(), IsEmpty());
}

TEST_F(FileSinkTest, tells_why_it_cannot_write) {
    FileSink missing(folder_ / "no" / "t.std");
    EXPECT_THAT(missing.write("x").error().message,
                HasSubstr("t.std: cannot create: No such file or directory"));
    std::filesystem::create_directory(folder_ / "d");
    FileSink folder(folder_ / "d");
    ASSERT_TRUE(folder.write("x").has_value());
    EXPECT_THAT(folder.finish().error().message, HasSubstr("d: cannot replace: Is a directory"));
}

/// Takes some bytes, then fails, as a full disk does.
class FullSink final : public ByteSink {
  public:
    Result<void> write(std::string_view) override {
        return fail("disk: cannot write: No space left on device");
    }
};

TEST(TextWriter, fails_when_its_sink_does) {
    FullSink sink;
    const auto report = write_text(trace_of("T w(x)\n"), sink);
    ASSERT_FALSE(report.has_value());
    EXPECT_EQ(report.error().message, "disk: cannot write: No space left on device");
}

} // namespace
} // namespace heddle
