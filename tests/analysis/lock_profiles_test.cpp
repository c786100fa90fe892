#include "analysis/lock_profiles.h"
#include "oracle.h"
#include "random_traces.h"
#include "small_traces.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
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
using testing_support::text_of;
using testing_support::trace_of;

/// A trace with the profile of each access, by event.
struct Walked {
    Trace trace;
    LockProfiles profiles;
    std::map<EventId, ProfileId> at;

    explicit Walked(Trace walked) : trace(std::move(walked)) {
        for (const EventView event : trace.events()) {
            profiles.step(event);
            if (is_access(event.kind())) at[event.id()] = profiles.current(event.thread());
        }
    }
    /// The verdict on the accesses with labels a and b.
    LockVerdict between(const std::string& a, const std::string& b) {
        return profiles.verdict(labelled(a), labelled(b));
    }
    ProfileId labelled(const std::string& label) {
        for (const auto& [event, profile] : at) {
            if (trace.place_text(trace.place_of(trace[event].stack())) == label) return profile;
        }
        ADD_FAILURE() << "no access " << label;
        return {};
    }
};

TEST(LockProfiles, accesses_under_a_common_lock_exclude_each_other_unless_both_share_it) {
    Walked run(trace_of(R"(
        T1 acq(m)
        T1 w(x) @a
        T1 rel(m)
        T2 acq_shared(m)
        T2 w(x) @b
        T2 rel_shared(m)
        T3 acq_shared(m)
        T3 w(x) @c
        T3 rel_shared(m)
        T3 w(x) @d
    )"));
    EXPECT_EQ(run.between("a", "b"), LockVerdict::excluded_by_lockset);
    EXPECT_EQ(run.between("b", "c"), LockVerdict::compatible);
    EXPECT_EQ(run.between("a", "d"), LockVerdict::compatible);
    EXPECT_THAT(run.profiles.lockset(run.labelled("d")), IsEmpty());
}

/// T1 takes m within l and then accesses x; T2 takes l within m. The modes of the four acquisitions in this
/// order: 'x' exclusive, 's' shared.
LockVerdict crossed(std::string_view modes) {
    const auto suffix = [&](std::size_t at) { return modes[at] == 's' ? "_shared" : ""; };
    return Walked(trace_of(fmt::format(R"(
        T1 acq{0}(l)
        T1 acq{1}(m)
        T1 rel{1}(m)
        T1 w(x) @a
        T1 rel{0}(l)
        T2 acq{2}(m)
        T2 acq{3}(l)
        T2 rel{3}(l)
        T2 w(x) @b
        T2 rel{2}(m)
    )",
                                       suffix(0), suffix(1), suffix(2), suffix(3))))
        .between("a", "b");
}

TEST(LockProfiles, histories_exclude_what_locksets_allow) {
    EXPECT_EQ(crossed("xxxx"), LockVerdict::excluded_by_history);
}

TEST(LockProfiles, a_history_counts_only_where_the_modes_exclude_each_other) {
    EXPECT_EQ(crossed("xsxx"), LockVerdict::excluded_by_history);
    EXPECT_EQ(crossed("xxsx"), LockVerdict::excluded_by_history);
    EXPECT_EQ(crossed("xssx"), LockVerdict::compatible);
    EXPECT_EQ(crossed("sxxs"), LockVerdict::compatible);
    EXPECT_EQ(crossed("ssxx"), LockVerdict::excluded_by_history);
}

TEST(LockProfiles, the_strongest_mode_of_a_lock_is_what_a_history_keeps) {
    Walked run(trace_of(R"(
        T1 acq(l)
        T1 acq(m)
        T1 rel(m)
        T1 acq_shared(m)
        T1 rel_shared(m)
        T1 w(x) @a
    )"));
    const auto held = run.profiles.held(run.labelled("a"));
    ASSERT_EQ(held.size(), 1U);
    EXPECT_THAT(run.profiles.histories()[held[0].since],
                ElementsAre(LockUse{LockId{1U}, LockMode::exclusive}));
}

TEST(LockProfiles, the_same_way_through_locks_is_one_profile) {
    std::string text;
    for (int round = 0; round < 100; ++round) {
        for (const char* thread : {"T1", "T2"}) {
            text += fmt::format("{0} acq(l)\n{0} acq(m)\n{0} rel(m)\n{0} rel(l)\n", thread);
        }
    }
    const Walked run(trace_of(text));
    EXPECT_EQ(run.profiles.size(), 4U);          // {}, {l}, {l m}, {l after m}
    EXPECT_EQ(run.profiles.lockset_count(), 3U); // {}, {l}, {l m}
    EXPECT_TRUE(run.profiles.nested(ThreadId{0U}));
}

TEST(LockProfiles, a_long_history_is_cut_and_says_so) {
    std::string text = "T1 acq(outer)\nT1 w(x) @before\n";
    for (int lock = 0; lock < 2000; ++lock) {
        text += fmt::format("T1 acq(l{0})\nT1 rel(l{0})\n", lock);
    }
    Walked run(trace_of(text + "T1 w(x) @after\nT1 rel(outer)\n"));
    EXPECT_TRUE(run.profiles.exact(run.labelled("before")));
    EXPECT_FALSE(run.profiles.exact(run.labelled("after")));
    EXPECT_LE(run.profiles.histories().size(), LockHistories::kMaxHistory + 1);
}

TEST(LockProfiles, locks_held_at_once_are_capped_and_the_thread_says_so) {
    std::string text;
    for (int lock = 0; lock < 1500; ++lock) text += fmt::format("T1 acq(l{})\n", lock);
    text += "T1 w(x) @deep\n";
    for (int lock = 1500; lock-- > 0;) text += fmt::format("T1 rel(l{})\n", lock);
    Walked run(trace_of(text + "T1 w(x) @free\n"));
    EXPECT_EQ(run.profiles.held(run.labelled("deep")).size(), LockProfiles::kMaxHeld);
    EXPECT_EQ(run.labelled("free"), LockProfiles::empty());
    EXPECT_TRUE(run.profiles.nested(ThreadId{0U}));
    EXPECT_FALSE(run.profiles.exact(ThreadId{0U}));
    EXPECT_LE(run.profiles.histories().size(),
              LockProfiles::kMaxHistoryDepth * LockProfiles::kMaxHistoryDepth);
}

TEST(LockProfiles, steps_taken_later_give_the_same_as_steps_taken_at_once) {
    const Trace trace = small_trace({.seed = 7, .threads = 3, .events = 60, .locks = 3, .rwlocks = true});
    LockProfiles at_once;
    at_once.extend(trace, EventId{0U}, EventId{trace.size()});
    LockProfiles bit_by_bit;
    for (std::size_t event = 0; event < trace.size(); ++event) {
        bit_by_bit.extend(trace, EventId{event}, EventId{event + 1});
    }
    for (std::uint32_t thread = 0; thread < 3; ++thread) {
        EXPECT_EQ(at_once.current(ThreadId{thread}), bit_by_bit.current(ThreadId{thread}));
    }
}

// --- truth -------------------------------------------------------------------------------------------

/// Compares the verdict on every race with the truth.
void compare_races(const Trace& trace, bool exact, std::size_t& races, std::size_t& feasible) {
    Walked run(trace);
    const Oracle oracle(trace);
    if (oracle.too_large()) return;
    for (const Property& property : oracle.all_races()) {
        const Race& race = std::get<Race>(property);
        const bool truth = *oracle.feasible(property);
        const bool verdict = ah_race_feasible(run.profiles, run.at[race.first], run.at[race.second]);
        ++races;
        feasible += truth ? 1 : 0;
        ASSERT_TRUE(exact ? verdict == truth : verdict || !truth)
            << "events " << race.first.value << " and " << race.second.value << " of\n"
            << text_of(trace);
    }
}

TEST(LockProfiles, decide_races_of_nested_threads_exactly) {
    std::size_t races = 0;
    std::size_t feasible = 0;
    const RandomTraces seeds = random_traces(28'000);
    for (const std::uint64_t seed : seeds) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const std::uint32_t threads = seed % 4 == 3 ? 3 : 2;
        compare_races(small_trace({.seed = seed,
                                   .threads = threads,
                                   .events = threads == 2 ? 12 + static_cast<std::uint32_t>(seed % 20) : 18,
                                   .locks = 2 + static_cast<std::uint32_t>(seed % 3),
                                   .rwlocks = seed % 2 == 1,
                                   .parts = seed % 5 == 0}),
                      true, races, feasible);
    }
    RecordProperty("races", static_cast<int>(races));
    if (seeds.count() < 10'000) return; // too few to say how many of each kind there should be
    EXPECT_GT(feasible, races / 10);
    EXPECT_LT(feasible, races * 9 / 10);
}

TEST(LockProfiles, never_refute_a_feasible_race) {
    std::size_t races = 0;
    std::size_t feasible = 0;
    for (const std::uint64_t seed : random_traces(6'000)) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        compare_races(small_trace(any_small(seed)), false, races, feasible);
    }
}

} // namespace
} // namespace heddle
