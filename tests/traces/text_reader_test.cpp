#include "text_of.h"

#include <map>

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names(const Trace& trace, ObjectKind kind) {
    std::vector<std::string> result;
    for (std::uint32_t id = 0; id < trace.objects(kind).size(); ++id)
        result.emplace_back(trace.name(kind, id));
    return result;
}

/// The places of an event's frames, innermost first.
std::vector<std::string> frames(const Trace& trace, std::size_t event) {
    std::vector<std::string> result;
    for (StackId at = trace[EventId{event}].stack(); at.valid(); at = trace.stacks()[at.value].caller) {
        result.push_back(trace.place_text(trace.place_of(at)));
    }
    return result;
}

std::vector<std::optional<std::uint64_t>> values(const Trace& trace) {
    std::vector<std::optional<std::uint64_t>> result;
    for (const Event& event : events_of(trace)) result.push_back(event.value);
    return result;
}

TEST(TextReader, reads_what_rapid_writes) {
    const Trace trace = trace_of("T0|fork(T2)|123\n"
                                 "T2|acq(L34)|120\n"
                                 "T2|r(V123.4[5])|345\n"
                                 "T2|rel(L34)|121\n"
                                 "T2|begin|7\n"
                                 "T2|w(V123.4[5])|346\n"
                                 "T2|end(tx)|8\n"
                                 "T0|join(T2)|124\n");
    EXPECT_THAT(names(trace, ObjectKind::thread), ElementsAre("T0", "T2"));
    EXPECT_THAT(names(trace, ObjectKind::variable), ElementsAre("V123.4[5]"));
    EXPECT_THAT(names(trace, ObjectKind::lock), ElementsAre("L34"));
    EXPECT_THAT(names(trace, ObjectKind::tag), ElementsAre("tx"));
    ASSERT_EQ(trace.size(), 8U);
    EXPECT_EQ(trace[EventId{0U}].other_thread(), ThreadId{1U});
    EXPECT_EQ(trace[EventId{2U}].kind(), EventKind::read);
    EXPECT_THAT(frames(trace, 2), ElementsAre("345"));
    EXPECT_FALSE(trace[EventId{4U}].has_target());
    EXPECT_TRUE(trace[EventId{6U}].has_target());
}

TEST(TextReader, skips_events_that_say_nothing_and_tells_once) {
    const TextTrace read = heddle::read("T0|enter(f)|1\nT0|w(x)|2\nT0|exit(f)|3\nT0|enter(g)|4\n");
    EXPECT_EQ(read.trace.size(), 1U);
    EXPECT_TRUE(read.damage.empty());
    EXPECT_THAT(read.notes, ElementsAre(HasSubstr("3 events of kinds enter, exit were skipped")));
}

TEST(TextReader, reads_every_kind_of_event) {
    for (std::size_t i = 0; i < kEventKinds; ++i) {
        const KindTraits& kind = kKindTraits[i];
        const std::string target = kind.target ? "(thing)" : "";
        const Trace trace = trace_of("T1|" + std::string(kind.text) + target + "|here\n");
        ASSERT_EQ(trace.size(), 1U) << kind.text;
        EXPECT_EQ(static_cast<std::size_t>(trace[EventId{0U}].kind()), i);
        EXPECT_EQ(trace[EventId{0U}].has_target(), kind.target.has_value());
    }
}

TEST(TextReader, knows_other_names_of_common_operations) {
    EXPECT_EQ(trace_of("T read(x)\nT write(x)\nT acquire(m)\nT release(m)\nT lock(m)\nT unlock(m)\n"),
              trace_of("T r(x)\nT w(x)\nT acq(m)\nT rel(m)\nT acq(m)\nT rel(m)\n"));
}

TEST(TextReader, the_short_form_and_the_pipe_form_say_the_same) {
    const Trace expected =
        trace_of("T1|w(x)|a|=5\nT1|acq(m)|\nT1|begin\nT2|r(x)|f@a.c:1 < g@b.c:2|=7 bytes=0+4\n");
    EXPECT_EQ(trace_of("T1 w(x) @a =5\nT1 acq(m)\nT1 begin\nT2 r(x) @f@a.c:1 < g@b.c:2 =7 bytes=0+4\n"),
              expected);
    EXPECT_EQ(
        trace_of("T1|w(x) @a =5\nT1|acq(m)||\n  T1 | begin | \nT2|r(x) =7|f@a.c:1 < g@b.c:2|bytes=0+4\n"),
        expected);
}

TEST(TextReader, is_not_particular_about_spacing_line_ends_and_comments) {
    const Trace expected = trace_of("T1|w(x)|a|=5\nT2|r(x)|b\n");
    EXPECT_EQ(trace_of("\xEF\xBB\xBFT1|w(x)|a|=5\r\nT2|r(x)|b\r\n"), expected);
    EXPECT_EQ(
        trace_of("# a comment\n\n  \t\n// another\n \tT1 | w( x ) | a | =5 \n#!/bin/sh\n   T2\tr(x)\t@b"),
        expected);
    EXPECT_EQ(trace_of("\xEF\xBB\xBF# c\nT1|w(x)|a|=5\n\r\nT2|r(x)|b"), expected);
}

// Lines of the usual shape take a shortcut; a blank in front of them does not change what they mean, but
// keeps them from it.
void expect_same_without_shortcut(const std::string& line) {
    const TextTrace quick = read(line + "\nT|w(x)\n");
    const TextTrace slow = read(" " + line + "\nT|w(x)\n");
    EXPECT_EQ(quick.trace, slow.trace) << line;
    EXPECT_EQ(quick.damage.total(), slow.damage.total()) << line;
}

TEST(TextReader, the_shortcut_for_usual_lines_makes_no_difference) {
    const std::string long_name(70, 'n');
    for (const std::string thread : {"T", "T123456789", "worker 1", long_name.c_str()}) {
        for (const std::string operation :
             {"r(x)", "w(x[1])", "acq(m)", "rel(f(g))", "w(a b)", "fence", "r( x )"}) {
            for (const std::string rest :
                 {"", "|", "|p", "|a.c:1:2", "|a < b", "|p|", "| p |", "|p|=1 bytes=0+1"}) {
                expect_same_without_shortcut(thread + "|" + operation + rest);
            }
        }
    }
    std::string digits;
    for (std::size_t length = 1; length <= 21; ++length) {
        digits += static_cast<char>('0' + (length * 7 + 1) % 10);
        for (const std::string before : {"", "/", ":", "-", "0x", " "}) {
            for (const std::string after : {"", "x", "/", ":", " "}) {
                expect_same_without_shortcut("T|w(x)|p|=" + before + digits + after);
            }
        }
    }
}

TEST(TextReader, names_hold_almost_anything) {
    const Trace trace = trace_of("worker 1|w(std::map<int (*)(char), T>::operator[](x) + é)|a b (c)\n"
                                 "a\\|b|acq(back\\\\slash \\n\\r\\t\\sC:\\dir\\)|\\sx\\s\n");
    EXPECT_THAT(names(trace, ObjectKind::thread), ElementsAre("worker 1", "a|b"));
    EXPECT_THAT(names(trace, ObjectKind::variable),
                ElementsAre("std::map<int (*)(char), T>::operator[](x) + é"));
    EXPECT_THAT(names(trace, ObjectKind::lock), ElementsAre("back\\slash \n\r\t C:\\dir\\"));
    EXPECT_THAT(frames(trace, 0), ElementsAre("a b (c)"));
    EXPECT_THAT(frames(trace, 1), ElementsAre(" x "));
}

TEST(TextReader, reads_values) {
    const Trace trace =
        trace_of("T w(x) =5\nT w(x) =0xfF\nT w(x) =-1\nT w(x) =18446744073709551615\n"
                 "T w(x) =-1 bytes=4+2\nT w(x)\nT atomic_rmw(x) =3->4\nT sem_init(s) count=2\n");
    EXPECT_THAT(values(trace),
                ElementsAre(5U, 255U, ~std::uint64_t{0}, ~std::uint64_t{0}, 0xFFFFU, std::nullopt, 4U, 2U));
    EXPECT_EQ(trace[EventId{4U}].bytes(), (ByteRange{4, 2}));
    EXPECT_EQ(trace.value_read_by(trace[EventId{6U}]), 3U);
}

TEST(TextReader, atomics_are_sequentially_consistent_unless_they_say_otherwise) {
    const Trace trace =
        trace_of("T atomic_load(x) acquire =1\nT atomic_store(x) =2 release\nT fence\nT fence acq_rel\n"
                 "T atomic_rmw(x) relaxed\nT atomic_load(x) consume\nT r(x)\n");
    std::vector<MemoryOrder> orders;
    for (const EventView event : trace.events()) orders.push_back(event.order());
    EXPECT_THAT(orders, ElementsAre(MemoryOrder::acquire, MemoryOrder::release, MemoryOrder::seq_cst,
                                    MemoryOrder::acq_rel, MemoryOrder::relaxed, MemoryOrder::consume,
                                    MemoryOrder::none));
}

TEST(TextReader, tells_source_code_and_labels_apart) {
    const Trace trace = trace_of("#! module /lib/bank.so\n"
                                 "T|w(x)|bank.cpp:41:9\n"
                                 "T|w(x)|bool operator<@my file.h:7 < main@/home/@u/main.cpp:12:3\n"
                                 "T|w(x)|/lib/bank.so+0x41c2\n"
                                 "T|w(x)|deposit@/lib/bank.so+0x41c2\n"
                                 "T|w(x)|deposit@bank.cpp:41=/lib/bank.so+0x41c2\n"
                                 "T|w(x)|/lib/other.so+0x41c2\n"
                                 "T|w(x)|345\n"
                                 "T|w(x)|a:0\n");
    const auto place = [&](std::size_t event) {
        return trace.places()[trace.place_of(trace[EventId{event}].stack()).value];
    };
    EXPECT_EQ(place(0).line, 41U);
    EXPECT_EQ(place(0).column, 9U);
    EXPECT_THAT(frames(trace, 1), ElementsAre("bool operator<@my file.h:7", "main@/home/@u/main.cpp:12:3"));
    EXPECT_EQ(trace.string(place(1).function), "bool operator<");
    EXPECT_EQ(place(2).offset, 0x41c2U);
    EXPECT_EQ(place(2).module, ModuleId{0U});
    EXPECT_EQ(trace.string(place(3).function), "deposit");
    EXPECT_EQ(place(4).line, 41U);
    EXPECT_EQ(place(4).offset, 0x41c2U);
    for (std::size_t event : {5U, 6U, 7U}) EXPECT_NE(place(event).label, StringId{0U});
}

// Other tools write these for all events when they know nothing better: they tell no two events apart.
TEST(TextReader, zero_and_minus_one_are_no_places) {
    const Trace trace = trace_of("T|w(x)|0\n"
                                 "T|w(x)|-1\n"
                                 "#! place 0 label=start\n"
                                 "T|w(x)|0\n");
    EXPECT_FALSE(trace[EventId{0U}].stack().valid());
    EXPECT_FALSE(trace[EventId{1U}].stack().valid());
    EXPECT_THAT(frames(trace, 2), ElementsAre("start"));
}

TEST(TextReader, a_wait_is_ended_by_the_earliest_free_notify_since_it_began) {
    const Trace trace = trace_of("B notify(c)\n" // ticket 1, before anyone waits
                                 "A wait_pre(c)\n"
                                 "B notify(c)\n" // 2
                                 "C wait_pre(c)\n"
                                 "B notify(c)\n"    // 3
                                 "C wait_post(c)\n" // began after 2
                                 "A wait_post(c)\n"
                                 "A wait_pre(c)\n"
                                 "A wait_post(c)\n"); // no notify since
    EXPECT_THAT(values(trace),
                ElementsAre(1U, std::nullopt, 2U, std::nullopt, 3U, 3U, 2U, std::nullopt, std::nullopt));
}

TEST(TextReader, a_notify_all_ends_every_wait_that_no_notify_ended) {
    const Trace trace = trace_of("A wait_pre(c)\nB wait_pre(c)\nD wait_pre(d)\n"
                                 "C notify_all(c)\nC notify(c)\nC notify_all(c)\n"
                                 "A wait_post(c)\nB wait_post(c)\nD wait_post(d)\n");
    EXPECT_THAT(values(trace),
                ElementsAre(std::nullopt, std::nullopt, std::nullopt, 1U, 2U, 3U, 2U, 3U, std::nullopt));
}

TEST(TextReader, written_tickets_hold_and_count_for_the_others) {
    const Trace trace =
        trace_of("A wait_pre(c)\nB wait_pre(c)\nC notify(c) ticket=9\nC notify(c)\n"
                 "B wait_post(c) ticket=9\nA wait_post(c)\n"
                 "A wait_pre(c)\nC notify(c)\nA wait_post(c) spurious\nC notify(c) ticket=none\n");
    EXPECT_THAT(values(trace), ElementsAre(std::nullopt, std::nullopt, 9U, 10U, 9U, 10U, std::nullopt, 11U,
                                           std::nullopt, std::nullopt));
    EXPECT_THAT(damage_of("C notify(c)\nC notify(c) ticket=1\n"),
                ElementsAre(HasSubstr("t.std:2: ticket 1 was already given to an earlier notify")));
}

TEST(TextReader, barriers_go_round_by_round) {
    const Trace trace =
        trace_of("A barrier_enter(b)\nB barrier_enter(b)\nA barrier_leave(b)\n"
                 "A barrier_enter(b)\nB barrier_leave(b)\nB barrier_enter(b)\n"
                 "A barrier_leave(b)\nB barrier_leave(b)\nC barrier_leave(b)\n"
                 "A barrier_enter(b) round=7\nA barrier_leave(b)\nA barrier_enter(b) round=none\n");
    EXPECT_THAT(values(trace),
                ElementsAre(1U, 1U, 1U, 2U, 1U, 2U, 2U, 2U, std::nullopt, 7U, 7U, std::nullopt));
}

TEST(TextReader, directives_tell_what_lines_cannot) {
    const Trace trace = trace_of("#! meta command ./tests\n#! meta command --filter=a b\n#! meta command\n"
                                 "#! meta test Bank.deposits\n#! meta start_time_unix_ns -5\n"
                                 "#! meta duration_ns 77\n#! meta exit_status 139\n#! meta setting seed 4 2\n"
                                 "#! module /bin/tests build-id=ab12 base=0x1000 size=4096\n"
                                 "#! object block heap size=64 address=0x7f00\n"
                                 "#! object variable x block=heap address=0x7f08\n"
                                 "#! object lock mu~2 name=mu block=heap\n"
                                 "T|acq(mu)\nT|acq(mu~2)\nT|w(x)\n");
    const Metadata& meta = trace.metadata();
    EXPECT_THAT(meta.command, ElementsAre("./tests", "--filter=a b", ""));
    EXPECT_EQ(meta.test, "Bank.deposits");
    EXPECT_EQ(meta.start_time_unix_ns, -5);
    EXPECT_EQ(meta.duration_ns, 77U);
    EXPECT_EQ(meta.exit_status, 139);
    EXPECT_EQ(meta.settings, (std::map<std::string, std::string>{{"seed", "4 2"}}));
    EXPECT_EQ(trace.string(trace.modules()[0].build_id), "ab12");
    EXPECT_EQ(trace.objects(ObjectKind::variable)[0].block, BlockId{0U});
    EXPECT_EQ(trace.objects(ObjectKind::lock)[0].block, BlockId{0U});
    EXPECT_EQ(trace.objects(ObjectKind::block)[0].size, 64U);
    EXPECT_THAT(names(trace, ObjectKind::lock), ElementsAre("mu", "mu"));
    EXPECT_EQ(trace[EventId{0U}].lock(), LockId{1U});
}

TEST(TextReader, events_know_their_lines) {
    const TextTrace read = heddle::read("# head\nT w(x)\nT w(x)\n\nbad line here\nT w(x)\nT w(x)\n");
    EXPECT_EQ(read.lines.line_of(EventId{0U}), 2U);
    EXPECT_EQ(read.lines.line_of(EventId{1U}), 3U);
    EXPECT_EQ(read.lines.line_of(EventId{2U}), 6U);
    EXPECT_EQ(read.lines.line_of(EventId{3U}), 7U);
    EXPECT_EQ(read.lines.runs(), 2U);
}

TEST(TextReader, an_empty_file_is_an_empty_trace) {
    EXPECT_TRUE(trace_of("").empty());
    EXPECT_TRUE(trace_of("# nothing yet\n").empty());
}

TEST(TextReader, keeps_objects_in_order_of_first_mention) {
    const Trace trace = read("#! object thread Z\nB|fork(A)|1\nbad|line|\nA|w(y)|2\nB|w(x)|3\n").trace;
    EXPECT_THAT(names(trace, ObjectKind::thread), ElementsAre("Z", "B", "A"));
    EXPECT_THAT(names(trace, ObjectKind::variable), ElementsAre("y", "x"));
}

TEST(TextReader, reads_ten_thousand_distinct_names_and_places) {
    std::string text;
    for (int i = 0; i < 10'000; ++i) {
        const std::string n = std::to_string(i);
        text += "T" + n + "|w(x" + n + ")|file_" + n + ".cpp:" + n + "\n";
    }
    const Trace trace = trace_of(text + text);
    ASSERT_EQ(trace.size(), 20'000U);
    EXPECT_EQ(trace.thread_count(), 10'000U);
    for (std::size_t i = 0; i < 10'000; ++i) {
        const EventView once = trace[EventId{i}];
        const EventView again = trace[EventId{i + 10'000}];
        EXPECT_EQ(once.thread(), again.thread());
        EXPECT_EQ(once.variable(), again.variable());
        EXPECT_EQ(once.stack(), again.stack());
    }
}

TEST(TextReader, reports_progress_and_stops_when_asked) {
    std::string text;
    for (int i = 0; i < 200'000; ++i) text += "T w(x)\n";
    std::vector<std::uint64_t> done;
    const TextTrace all = read(text, {.progress = [&](std::uint64_t at, std::uint64_t total) {
                                   EXPECT_EQ(total, text.size());
                                   done.push_back(at);
                                   return true;
                               }});
    EXPECT_EQ(all.trace.size(), 200'000U);
    EXPECT_EQ(done.size(), 3U);
    const TextTrace some = read(text, {.progress = [](std::uint64_t, std::uint64_t) { return false; }});
    EXPECT_EQ(some.trace.size(), 65'536U);
    EXPECT_THAT(some.notes, ElementsAre("reading was stopped after line 65536"));
}

/// A line that goes on and on, of which no end is in sight.
class EndlessLine final : public ByteSource {
  public:
    Result<std::size_t> read(std::span<char> into) override {
        std::ranges::fill(into, 'x');
        given_ += into.size();
        if (given_ == into.size()) std::ranges::copy(start_, into.begin());
        return into.size();
    }
    [[nodiscard]] std::uint64_t consumed() const override { return given_; }
    [[nodiscard]] std::uint64_t total() const override { return 0; }

    explicit EndlessLine(std::string_view start) : start_(start) {}

  private:
    std::string_view start_;
    std::uint64_t given_ = 0;
};

TEST(TextReader, stops_within_a_line_without_end) {
    EndlessLine noise("");
    const auto no_trace = read_text(noise, "t.std");
    ASSERT_FALSE(no_trace);
    EXPECT_THAT(no_trace.error().message, testing::StartsWith("t.std: not a trace: "));

    EndlessLine damaged("T0 w(a)\n");
    const std::uint64_t far = std::uint64_t{100} << 20U;
    const auto some =
        read_text(damaged, "t.std", {.progress = [&](std::uint64_t at, std::uint64_t) { return at < far; }});
    ASSERT_TRUE(some);
    EXPECT_EQ(some->trace.size(), 1U);
    EXPECT_THAT(some->notes, testing::ElementsAre(testing::HasSubstr("stopped")));
}

} // namespace
} // namespace heddle
