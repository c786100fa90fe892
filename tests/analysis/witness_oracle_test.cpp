#include "random_traces.h"
#include "small_traces.h"
#include "traces/rules.h"
#include "witness_oracle.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>

namespace heddle::testing_support {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// --- by label ----------------------------------------------------------------------------------------

std::vector<Property> properties_of(const Oracle& oracle) {
    std::vector<Property> result = oracle.all_races();
    for (const auto& more : {oracle.all_atomicity_violations(), oracle.all_deadlocks()})
        result.insert(result.end(), more.begin(), more.end());
    return result;
}

/// The witnessed properties of the trace, each as the labels of its events and its fewest switches. Those
/// with an event that has no label are left out.
std::vector<std::string> witnessed(std::string_view text) {
    const Trace trace = trace_of(text);
    WitnessOracle oracle(trace);
    std::vector<std::string> result;
    for (const Property& property : properties_of(oracle.synchronisation())) {
        const std::optional<std::size_t> switches = oracle.fewest_switches(property);
        bool labelled = switches.has_value();
        std::string line;
        for (const EventId event : events_of(property)) {
            labelled = labelled && trace[event].stack().valid();
            if (labelled) line += trace.place_text(trace.place_of(trace[event].stack())) + " ";
        }
        if (labelled) result.push_back(line + std::to_string(*switches));
    }
    return result;
}

Schedule schedule(std::size_t base, const std::vector<std::size_t>& numbers) {
    Schedule result{EventId{base}, {}};
    for (const std::size_t number : numbers) result.steps.emplace_back(number);
    return result;
}

Property race(std::size_t first, std::size_t second) {
    return Race{EventId{first}, EventId{second}};
}

Property violation(std::size_t first, std::size_t remote, std::size_t second) {
    return AtomicityViolation{EventId{first}, EventId{remote}, EventId{second}, AtomicityPattern::rwr};
}

// --- what a read may see -----------------------------------------------------------------------------

TEST(WitnessOracle, a_flag_that_was_seen_orders) {
    const auto with = [](const std::string& seen, const std::string& written) {
        return witnessed("T1 w(x) @a\nT1 w(ready) " + written + "\nT2 r(ready) " + seen + "\nT2 w(x) @b");
    };
    EXPECT_THAT(with("=1", "=1"), IsEmpty());
    // Not even without values: it must see the same write.
    EXPECT_THAT(with("", "=1"), IsEmpty());
    EXPECT_THAT(with("", ""), IsEmpty());
    EXPECT_THAT(with("=1", ""), IsEmpty());
}

TEST(WitnessOracle, a_flag_seen_unset_orders_the_other_way) {
    const auto with = [](const std::string& second_seen) {
        return witnessed("T2 r(ready) " + second_seen +
                         "\nT2 w(x) @b\nT1 w(ready) =0\nT1 r(ready) =0\nT1 w(x) @a");
    };
    // What memory held at first is known, and what was written is the same.
    EXPECT_THAT(with("=0"), ElementsAre("b a 1"));
    EXPECT_THAT(with("=1"), ElementsAre("b a 1"));
    EXPECT_THAT(witnessed("T2 r(ready) =1\nT2 w(x) @b\nT1 w(ready) =0\nT1 w(x) @a\nT3 w(x) @c"),
                ElementsAre("b a 1", "b c 0", "a c 0"));
}

TEST(WitnessOracle, another_write_of_the_same_value_serves) {
    const auto with = [](const std::string& other) {
        return witnessed("T1 w(x) @a\nT1 w(f) =1\nT2 r(f) =1\nT2 w(x) @b\nT3 w(f) " + other);
    };
    EXPECT_THAT(with("=1"), ElementsAre("a b 1"));
    EXPECT_THAT(with("=2"), IsEmpty());
    EXPECT_THAT(with(""), IsEmpty()); // nobody knows that it is the same
}

TEST(WitnessOracle, first_content_is_known_from_reads_only) {
    const auto with = [](const std::string& first_read) {
        return witnessed("T3 r(f) " + first_read + "\nT1 w(x) @a\nT1 w(f) =0\nT2 r(f) =0\nT2 w(x) @b");
    };
    EXPECT_THAT(with("=0"), ElementsAre("a b 0"));
    EXPECT_THAT(with(""), IsEmpty());
    EXPECT_THAT(with("=1"), IsEmpty());
}

TEST(WitnessOracle, bytes_are_told_apart) {
    // Half of what T2 sees is from T1; the other half was there.
    const auto with = [](const std::string& bytes) {
        return witnessed("T3 r(f) =7 bytes=4+4\nT1 w(x) @a\nT1 w(f) =1 bytes=0+4\nT2 r(f) " + bytes +
                         "\nT2 w(x) @b");
    };
    EXPECT_THAT(with("=7 bytes=4+4"), ElementsAre("a b 0"));
    EXPECT_THAT(with("=1 bytes=0+4"), IsEmpty());
    EXPECT_THAT(with("=0x700000001"), IsEmpty());
}

TEST(WitnessOracle, a_read_modify_write_reads_and_writes) {
    EXPECT_THAT(witnessed("T1 w(x) @a\nT1 atomic_rmw(n) relaxed =0->1\nT2 atomic_rmw(n) relaxed =1->2\n"
                          "T2 w(x) @b"),
                IsEmpty());
    EXPECT_THAT(witnessed("T1 w(x) @a\nT1 atomic_rmw(n) relaxed =0->0\nT2 atomic_rmw(n) relaxed =0->2\n"
                          "T2 w(x) @b"),
                ElementsAre("a b 0"));
}

TEST(WitnessOracle, a_deadlock_is_subject_to_data) {
    const auto with = [](const std::string& seen) {
        return witnessed("T1 acq(l)\nT1 acq(m) @a\nT1 rel(m)\nT1 rel(l)\nT1 w(f) =1\nT2 r(f) " + seen +
                         "\nT2 acq(m)\nT2 acq(l) @b");
    };
    EXPECT_THAT(with("=1"), IsEmpty());
    EXPECT_THAT(witnessed("T1 acq(l)\nT1 acq(m) @a\nT1 rel(m)\nT1 rel(l)\nT1 w(f) =1\nT2 acq(m)\n"
                          "T2 acq(l) @b"),
                ElementsAre("a b 1"));
}

// --- what need not be faithful -----------------------------------------------------------------------

TEST(WitnessOracle, the_last_access_may_see_anything) {
    EXPECT_THAT(witnessed("T1 begin\nT1 r(x) @a =0\nT1 r(x) @c =0\nT1 end\nT2 w(x) @b =5"),
                ElementsAre("a b 0", "c b 0", "a b c 2"));
    // A read in between may not, but may come before the remote thread begins.
    EXPECT_THAT(witnessed(R"(
        T1 begin
        T1 r(x) @a =0
        T1 r(y) =0
        T1 r(x) @c =0
        T1 end
        T2 w(y) =1
        T2 w(x) @b =5
    )"),
                ElementsAre("a b 1", "c b 1", "a b c 2"));
    EXPECT_THAT(witnessed(R"(
        T2 w(y) =1
        T1 begin
        T1 r(x) @a =0
        T2 w(y) =0
        T2 w(x) @b =5
        T1 r(x) =5
        T1 r(y) =0
        T2 w(y) =1
        T1 w(x) @c =0
        T1 end
    )"),
                ElementsAre("a b 1", "a b c 2"));
}

TEST(WitnessOracle, the_remote_access_may_see_anything_if_its_thread_stops) {
    constexpr std::string_view kText = "T2 r(x) @b =0\n{}T1 begin\nT1 w(x) @a =1\nT1 w(x) @c =2\nT1 end\n";
    const auto with = [&](const std::string& further) {
        std::string text(kText);
        text.replace(text.find("{}"), 2, further);
        return witnessed(text);
    };
    EXPECT_THAT(with(""), ElementsAre("b a 0", "b c 0", "a b c 2"));
    EXPECT_THAT(with("T2 w(y)\n"), ElementsAre("b a 0", "b c 0", "a b c 2"));
    // T1 needs a lock that the remote thread would have to give back.
    EXPECT_THAT(witnessed(R"(
        T2 acq(m)
        T2 r(x) @b =0
        T2 rel(m)
        T1 begin
        T1 w(x) @a =1
        T1 acq(m)
        T1 w(x) @c =2
        T1 rel(m)
        T1 end
    )"),
                ElementsAre("b a 1"));
    // The same, if it sees what it saw.
    EXPECT_THAT(witnessed(R"(
        T2 acq(m)
        T2 r(x) @b =1
        T2 rel(m)
        T1 begin
        T1 w(x) @a =1
        T1 acq(m)
        T1 w(x) @c =2
        T1 rel(m)
        T1 end
    )"),
                ElementsAre("b a 1", "a b c 2"));
}

TEST(WitnessOracle, nobody_knows_what_an_unfaithful_read_modify_write_writes) {
    const auto with = [](const std::string& between) {
        return witnessed("T2 atomic_rmw(x) @b relaxed =0->1\nT3 r(x) =1\nT3 w(y) =1\nT1 begin\n"
                         "T1 w(x) @a =5\n" +
                         between + "T1 w(x) @c =2\nT1 end\n");
    };
    EXPECT_THAT(with(""), ElementsAre("b a 0", "b c 0", "a b c 2"));
    EXPECT_THAT(with("T1 r(y) =1\n"), ElementsAre("b a 0"));
}

TEST(WitnessOracle, no_other_read_may_see_anything) {
    EXPECT_THAT(witnessed(R"(
        T2 r(y) =0
        T2 r(x) @b =0
        T1 begin
        T1 w(y) =1
        T1 w(x) @a =1
        T1 w(x) @c =2
        T1 end
    )"),
                ElementsAre("b a 1", "b c 1", "a b c 3"));
    EXPECT_THAT(witnessed(R"(
        T1 w(y) =1
        T1 begin
        T1 w(x) @a =1
        T1 w(x) @c =2
        T1 end
        T1 w(y) =0
        T2 r(y) =0
        T2 r(x) @b =2
    )"),
                IsEmpty());
}

// --- schedules ---------------------------------------------------------------------------------------

TEST(WitnessOracle, tells_witnesses_from_other_schedules) {
    //                           0              1          2             3          4
    const Trace trace = trace_of("T1 w(f) =1\nT2 r(f) =1\nT2 w(x) =1\nT1 r(x) =1\nT1 w(x) =0");
    const WitnessOracle oracle(trace);
    EXPECT_TRUE(oracle.is_witness(race(2, 3), schedule(0, {0, 1})));
    EXPECT_TRUE(oracle.is_witness(race(2, 3), schedule(1, {1})));
    EXPECT_TRUE(oracle.is_witness(race(2, 3), schedule(2, {})));
    EXPECT_FALSE(oracle.is_witness(race(2, 3), schedule(3, {})));     // beyond
    EXPECT_FALSE(oracle.is_witness(race(2, 3), schedule(1, {0, 1}))); // a step before the base
    EXPECT_FALSE(oracle.is_witness(race(2, 3), schedule(0, {1, 0}))); // the read sees something else
    EXPECT_FALSE(oracle.is_witness(race(2, 3), schedule(0, {0})));    // T2 is not there yet
    EXPECT_FALSE(oracle.is_witness(race(2, 3), schedule(0, {0, 1, 9})));
    EXPECT_FALSE(oracle.is_witness(race(2, 3), schedule(9, {})));
    EXPECT_FALSE(oracle.is_witness(race(2, 4), schedule(0, {0, 3, 1})));
}

TEST(WitnessOracle, a_violation_ends_with_its_last_access) {
    //                           0         1             2             3         4             5
    const Trace trace = trace_of("T1 begin\nT1 r(x) =0\nT1 r(x) =0\nT1 end\nT2 w(x) =5\nT2 r(x) =5");
    const WitnessOracle oracle(trace);
    EXPECT_TRUE(oracle.is_witness(violation(1, 4, 2), schedule(0, {0, 1, 4, 2})));
    EXPECT_TRUE(oracle.is_witness(violation(1, 4, 2), schedule(2, {4, 2})));
    EXPECT_TRUE(oracle.is_witness(violation(1, 4, 2), schedule(2, {4, 5, 2})));
    EXPECT_FALSE(oracle.is_witness(violation(1, 4, 2), schedule(2, {4})));
    EXPECT_FALSE(oracle.is_witness(violation(1, 4, 2), schedule(2, {4, 2, 5})));
    EXPECT_FALSE(oracle.is_witness(violation(1, 4, 2), schedule(3, {4})));
    EXPECT_FALSE(oracle.is_witness(violation(1, 4, 2), schedule(2, {2})));
}

TEST(WitnessOracle, a_remote_read_that_sees_something_else_ends_its_thread) {
    //                           0             1             2         3             4
    const Trace trace = trace_of("T2 r(x) =0\nT2 w(y) =0\nT1 begin\nT1 w(x) =1\nT1 w(x) =2");
    const WitnessOracle oracle(trace);
    EXPECT_TRUE(oracle.is_witness(violation(3, 0, 4), schedule(0, {2, 3, 0, 4})));
    EXPECT_FALSE(oracle.is_witness(violation(3, 0, 4), schedule(0, {2, 3, 0, 1, 4})));
}

// --- random traces -----------------------------------------------------------------------------------

TEST(SmallTraces, with_values_keep_the_rules) {
    std::set<EventKind> kinds;
    std::size_t with_value = 0;
    std::size_t without_value = 0;
    std::size_t witnesses = 0;
    std::size_t refuted_by_data = 0;
    std::array<std::size_t, 3> of_sort{};
    for (const std::uint64_t seed : random_traces(1000)) {
        const Trace trace = small_trace(any_valued(seed));
        ASSERT_TRUE(check_rules(trace).clean()) << "seed " << seed << "\n" << text_of(trace);
        for (const EventView event : trace.events()) {
            kinds.insert(event.kind());
            if (is_access(event.kind())) ++(event.has_value() ? with_value : without_value);
        }
        WitnessOracle oracle(trace);
        ASSERT_FALSE(oracle.too_large()) << "seed " << seed;
        for (const Property& property : properties_of(oracle.synchronisation())) {
            const bool feasible = *oracle.synchronisation().feasible(property);
            const bool found = oracle.witnessed(property);
            ASSERT_TRUE(feasible || !found) << "seed " << seed << " " << in_words(property);
            witnesses += found ? 1 : 0;
            refuted_by_data += feasible && !found ? 1 : 0;
            of_sort[property.index()] += found ? 1 : 0;
        }
    }
    EXPECT_EQ(kinds.size(), kEventKinds - 4); // all but fences, allocations and thread_begin
    EXPECT_GT(with_value, without_value);
    EXPECT_GT(without_value, 100U);
    EXPECT_GT(witnesses, 1000U);
    EXPECT_GT(refuted_by_data, 1000U);
    EXPECT_THAT(of_sort, testing::Each(testing::Gt(50U)));
}

/// Calls visit(steps) for every feasible schedule, however it treats data.
template<typename Visit>
void for_each_schedule(const Trace& trace, const Oracle& oracle, std::vector<EventId>& steps, Visit visit) {
    visit(steps);
    for (std::size_t thread = 0; thread < trace.thread_count(); ++thread) {
        const auto& events = trace.events_of(ThreadId{thread});
        const auto taken = std::ranges::count_if(
            steps, [&](EventId event) { return trace[event].thread() == ThreadId{thread}; });
        if (static_cast<std::size_t>(taken) == events.size()) continue;
        steps.emplace_back(events[static_cast<std::size_t>(taken)]);
        if (oracle.is_schedule(steps)) for_each_schedule(trace, oracle, steps, visit);
        steps.pop_back();
    }
}

std::size_t switches_in(const Trace& trace, const std::vector<EventId>& steps) {
    std::size_t result = 0;
    for (std::size_t k = 1; k < steps.size(); ++k)
        result += trace[steps[k - 1]].thread() != trace[steps[k]].thread() ? 1U : 0U;
    return result;
}

TEST(WitnessOracle, finds_what_a_look_at_every_schedule_finds) {
    for (const std::uint64_t seed : random_traces(300)) {
        SmallTraceOptions options = any_valued(seed);
        options.threads = 2 + seed % 2;
        options.events = options.threads == 2 ? 11 : 9;
        const Trace trace = small_trace(options);
        WitnessOracle oracle(trace);
        const std::vector<Property> properties = properties_of(oracle.synchronisation());
        std::vector<std::optional<std::size_t>> best(properties.size());
        std::vector<EventId> steps;
        for_each_schedule(trace, oracle.synchronisation(), steps, [&](const std::vector<EventId>& all) {
            const std::size_t switches = switches_in(trace, all);
            for (std::size_t k = 0; k < properties.size(); ++k) {
                if (best[k] && *best[k] <= switches) continue;
                if (oracle.is_witness(properties[k], {EventId{0U}, all})) best[k] = switches;
            }
        });
        for (std::size_t k = 0; k < properties.size(); ++k) {
            ASSERT_EQ(oracle.fewest_switches(properties[k]), best[k])
                << "seed " << seed << " " << in_words(properties[k]) << "\n"
                << text_of(trace);
        }
    }
}

} // namespace
} // namespace heddle::testing_support
