#include "analysis/atomicity.h"
#include "oracle.h"
#include "random_traces.h"
#include "small_traces.h"
#include "traces/trace_builder.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing_support::any_small;
using testing_support::Oracle;
using testing_support::random_traces;
using testing_support::RandomTraces;
using testing_support::small_trace;
using testing_support::SmallTraceOptions;
using testing_support::text_of;
using testing_support::trace_of;

std::string spelled(const Trace& trace, const AtomicityCandidate& candidate) {
    static constexpr std::array<const char*, 5> kPatterns = {"rwr", "rww", "wrw", "wwr", "www"};
    static constexpr std::array<const char*, 4> kRefuters = {" by lockset", " by history", " by completion",
                                                             ""};
    const AtomicityViolation& violation = candidate.violation;
    std::string result;
    for (const EventId event : {violation.first, violation.remote, violation.second}) {
        result += trace.place_text(trace.place_of(trace[event].stack())) + " ";
    }
    return result + kPatterns[static_cast<std::size_t>(violation.pattern)] +
           kRefuters[static_cast<std::size_t>(candidate.refuted_by)];
}

std::vector<std::string> candidates(const std::string& text, std::vector<TransactionBlock> given = {}) {
    const Trace trace = trace_of(text);
    std::vector<std::string> result;
    for (const AtomicityCandidate& candidate : find_atomicity_violations(trace, given).candidates) {
        result.push_back(spelled(trace, candidate));
    }
    return result;
}

TEST(Atomicity, an_access_without_the_lock_comes_between) {
    EXPECT_THAT(candidates(R"(
        T1 acq(l)
        T1 r(x) @a
        T1 w(x) @b
        T1 rel(l)
        T2 w(x) @c
    )"),
                ElementsAre("a c b rww"));
}

TEST(Atomicity, a_common_lock_prevents_it) {
    EXPECT_THAT(candidates(R"(
        T1 acq(l)
        T1 r(x) @a
        T1 w(x) @b
        T1 rel(l)
        T2 acq(l)
        T2 w(x) @c
        T2 rel(l)
    )"),
                ElementsAre("a c b rww by lockset"));
}

TEST(Atomicity, a_lock_released_within_a_marked_block_does_not) {
    EXPECT_THAT(candidates(R"(
        T1 begin
        T1 acq(l)
        T1 w(x) @a
        T1 rel(l)
        T1 acq(l)
        T1 w(x) @b
        T1 rel(l)
        T1 end
        T2 acq(l)
        T2 r(x) @c
        T2 rel(l)
    )"),
                ElementsAre("a c b wrw"));
}

TEST(Atomicity, histories_refute_what_locksets_keep) {
    EXPECT_THAT(candidates(R"(
        T1 acq(l)
        T1 acq(m)
        T1 rel(m)
        T1 r(x) @a
        T1 r(x) @b
        T1 rel(l)
        T2 acq(m)
        T2 acq(l)
        T2 rel(l)
        T2 w(x) @c
        T2 rel(m)
    )"),
                ElementsAre("a c b rwr by history"));
}

// The state after a and c is reachable, but T1 then waits for m, which T2 gives back only after it had l.
// Lemma 2 of the paper takes it that every state can be completed.
TEST(Atomicity, a_state_that_can_only_deadlock_is_no_violation) {
    EXPECT_THAT(candidates(R"(
        T1 acq(l)
        T1 r(x) @a
        T1 acq(m)
        T1 r(x) @b
        T1 rel(m)
        T1 rel(l)
        T2 acq(m)
        T2 w(x) @c
        T2 acq(l)
        T2 rel(l)
        T2 rel(m)
    )"),
                ElementsAre("a c b rwr by completion"));
}

TEST(Atomicity, a_lock_that_is_never_given_back_stops_the_transaction) {
    EXPECT_THAT(candidates(R"(
        T1 acq(l)
        T1 r(x) @a
        T1 acq(m)
        T1 r(x) @b
        T1 rel(m)
        T1 rel(l)
        T2 acq(m)
        T2 w(x) @c
    )"),
                ElementsAre("a c b rwr by completion"));
}

TEST(Atomicity, only_common_bytes_conflict_and_the_two_accesses_need_none_in_common) {
    EXPECT_THAT(candidates(R"(
        T1 acq(l)
        T1 w(x) @a bytes=0+4
        T1 w(x) @b bytes=4+4
        T1 rel(l)
        T2 r(x) @low bytes=0+4
        T2 r(x) @all
    )"),
                ElementsAre("a all b wrw"));
}

TEST(Atomicity, blocks_from_elsewhere_are_transactions) {
    const std::string text = "T1 r(x) @a\nT1 w(x) @b\nT2 w(x) @c\n";
    EXPECT_THAT(candidates(text), IsEmpty());
    EXPECT_THAT(candidates(text, {{ThreadId{0U}, EventId{0U}, EventId{1U}}}), ElementsAre("a c b rww"));
}

TEST(Atomicity, a_section_that_waits_is_no_transaction) {
    EXPECT_THAT(candidates(R"(
        T1 acq(l)
        T1 r(x) @a
        T1 r(x) @b
        T1 wait_pre(c)
        T1 rel(l)
        T1 acq(l)
        T1 wait_post(c)
        T1 r(x) @d
        T1 r(x) @e
        T1 rel(l)
        T2 w(x) @c
    )"),
                ElementsAre("d c e rwr"));
}

TEST(Atomicity, statistics_count_the_sets_of_the_paper) {
    const Trace trace = trace_of(R"(
        T1 acq(l)
        T1 w(x)
        T1 w(x)
        T1 r(x)
        T1 rel(l)
        T2 r(x)
    )");
    const AtomicityStatistics statistics = find_atomicity_violations(trace).statistics;
    EXPECT_EQ(statistics.reads, 2U);
    EXPECT_EQ(statistics.writes, 1U);
    EXPECT_EQ(statistics.write_pairs, 1U);
    EXPECT_EQ(statistics.access_pairs, 2U); // write–write and write–read
    EXPECT_EQ(statistics.profiles, 2U);
    EXPECT_FALSE(statistics.may_block);
}

// --- truth -------------------------------------------------------------------------------------------

/// What a representative stands for.
using Group = std::tuple<ThreadId, ThreadId, std::uint32_t, AtomicityPattern>;

Group group_of(const Trace& trace, const AtomicityViolation& violation) {
    return {trace[violation.first].thread(), trace[violation.remote].thread(),
            trace[violation.first].target(), violation.pattern};
}

struct Tally {
    std::size_t triples = 0;
    std::size_t feasible = 0;
    std::size_t kept = 0;
    std::size_t by_completion = 0; ///< groups that the paper's Theorem 1 would report wrongly
};

constexpr AtomicityLimits kUnlimited{.max_kept = std::numeric_limits<std::size_t>::max()};

void compare_with_truth(const Trace& trace, bool exact, Tally& tally,
                        const AtomicityLimits& limits = kUnlimited) {
    const Oracle oracle(trace);
    if (oracle.too_large()) return;
    const AtomicityResult result = find_atomicity_violations(trace, {}, limits);
    std::set<Group> kept;
    std::set<Group> known;
    for (const AtomicityCandidate& candidate : result.candidates) {
        const Group group = group_of(trace, candidate.violation);
        known.insert(group);
        if (candidate.kept()) {
            kept.insert(group);
            ++tally.kept;
        }
        if (candidate.refuted_by == AtomicityRefuter::completion) ++tally.by_completion;
        if (!exact) continue;
        ASSERT_TRUE(candidate.exact);
        ASSERT_EQ(candidate.kept(), *oracle.feasible(candidate.violation))
            << candidate.violation.first.value << " " << candidate.violation.remote.value << " "
            << candidate.violation.second.value << " of\n"
            << text_of(trace);
    }
    for (const Property& property : oracle.all_atomicity_violations()) {
        const auto& violation = std::get<AtomicityViolation>(property);
        const Group group = group_of(trace, violation);
        ++tally.triples;
        ASSERT_TRUE(known.contains(group)) << text_of(trace);
        if (!*oracle.feasible(property)) continue;
        ++tally.feasible;
        ASSERT_TRUE(kept.contains(group)) << violation.first.value << " " << violation.remote.value << " "
                                          << violation.second.value << " of\n"
                                          << text_of(trace);
    }
}

TEST(Atomicity, is_decided_exactly_for_nested_threads) {
    Tally tally;
    const RandomTraces seeds = random_traces(24'000);
    for (const std::uint64_t seed : seeds) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const std::uint32_t threads = seed % 8 == 7 ? 3 : 2;
        compare_with_truth(
            small_trace({.seed = seed,
                         .threads = threads,
                         .events = threads == 2 ? 12 + static_cast<std::uint32_t>(seed % 24) : 20,
                         .locks = 2 + static_cast<std::uint32_t>(seed % 3),
                         .variables = 1 + static_cast<std::uint32_t>(seed / 3 % 2),
                         .rwlocks = seed % 2 == 1,
                         .transactions = seed % 3 == 0,
                         .parts = seed % 5 == 0}),
            true, tally);
    }
    RecordProperty("triples", static_cast<int>(tally.triples));
    RecordProperty("feasible", static_cast<int>(tally.feasible));
    RecordProperty("kept", static_cast<int>(tally.kept));
    RecordProperty("by_completion", static_cast<int>(tally.by_completion));
    if (seeds.count() < 10'000) return; // too few to say how many of each kind there should be
    EXPECT_GT(tally.feasible, tally.triples / 10);
    EXPECT_LT(tally.feasible, tally.triples * 9 / 10);
    EXPECT_GT(tally.by_completion, 20U);
}

TEST(Atomicity, never_refutes_a_feasible_violation) {
    Tally tally;
    for (const std::uint64_t seed : random_traces(8'000)) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        SmallTraceOptions options = any_small(seed);
        options.transactions = seed % 2 == 0;
        compare_with_truth(small_trace(options), false, tally);
    }
}

TEST(Atomicity, keeps_every_feasible_violation_when_transactions_pass_too_many_profiles) {
    Tally tally;
    for (const std::uint64_t seed : random_traces(4'000)) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        compare_with_truth(small_trace({.seed = seed,
                                        .threads = 2,
                                        .events = 36,
                                        .locks = 3,
                                        .variables = 1,
                                        .rwlocks = seed % 2 == 1,
                                        .transactions = true}),
                           false, tally, {.max_kept = 1, .max_compared = seed % 3, .max_places = 2});
    }
}

/// Everything but the numbers of profiles, which depend on the order in which threads are walked.
std::multiset<std::tuple<Group, bool>> gist(const Trace& trace, const AtomicityResult& result) {
    std::multiset<std::tuple<Group, bool>> all;
    for (const AtomicityCandidate& one : result.candidates) {
        all.emplace(group_of(trace, one.violation), one.kept());
    }
    return all;
}

TEST(Atomicity, witnesses_gathered_as_a_run_grows_are_those_gathered_at_once) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const Trace whole = small_trace({.seed = seed, .events = 30, .rwlocks = true, .transactions = true});
        PhaseOne at_once;
        at_once.extend(whole);
        TraceBuilder builder;
        for (const ObjectKind kind :
             {ObjectKind::thread, ObjectKind::lock, ObjectKind::variable, ObjectKind::tag}) {
            for (std::uint32_t id = 0; id < whole.objects(kind).size(); ++id) {
                static_cast<void>(builder.object_named(kind, whole.display_name(kind, id)));
            }
        }
        PhaseOne growing;
        for (const EventView event : whole.events()) {
            Event copy = whole.spelled_out(event);
            copy.stack = {};
            builder.add(copy);
            growing.extend(builder.snapshot());
        }
        ASSERT_EQ(gist(whole, compare(at_once)), gist(whole, compare(growing))) << text_of(whole);
    }
}

} // namespace
} // namespace heddle
