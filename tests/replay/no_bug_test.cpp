// What is no bug is never confirmed, even if somebody claims that a schedule leads there: what locks or the
// order of threads keep apart does not come to stand side by side, whatever the plan says. Claims and
// schedules are made up at random from runs of programs without a bug; HEDDLE_RANDOM_TRACES and
// HEDDLE_RANDOM_SEED as in random_traces.h.
#include "daemon/replay/replay.h"
#include "random_traces.h"
#include "replaying.h"
#include "traces/load.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace heddle::test {
namespace {

using testing_support::random_traces;
using Random = std::mt19937_64;

bool takes_lock(const EventView& event) {
    return event.kind() == EventKind::acquire || event.kind() == EventKind::acquire_shared;
}
bool gives_back(const EventView& event) {
    return event.kind() == EventKind::release || event.kind() == EventKind::release_shared;
}

/// What somebody could claim of a run.
struct Claims {
    std::vector<Property> races;
    std::vector<Property> atomicity_violations;
    std::vector<Property> deadlocks;

    explicit Claims(const Trace& trace) {
        std::map<std::uint32_t, std::vector<EventView>> accesses;
        for (const EventView event : trace.events()) {
            if (is_plain_access(event.kind())) accesses[event.variable().value].push_back(event);
        }
        for (std::uint32_t thread = 0; thread < trace.thread_count(); ++thread)
            look_at(trace, ThreadId{thread}, accesses);
        claim_deadlocks(trace);
        for (const auto& [variable, events] : accesses) claim_races(events);
    }

  private:
    static constexpr std::size_t kMost = 2000;

    static bool conflict(const EventView& one, const EventView& other) {
        return one.thread() != other.thread() && one.bytes().overlaps(other.bytes()) &&
               (writes_memory(one.kind()) || writes_memory(other.kind()));
    }
    void claim_races(const std::vector<EventView>& events) {
        for (const EventView one : events) {
            for (const EventView other : events) {
                if (one.id() < other.id() && conflict(one, other) && races.size() < kMost)
                    races.emplace_back(Race{one.id(), other.id()});
            }
        }
    }
    /// Two accesses of one critical section, and one of another thread; locks within locks.
    void look_at(const Trace& trace, ThreadId thread,
                 const std::map<std::uint32_t, std::vector<EventView>>& accesses) {
        std::vector<EventView> held;
        std::map<std::uint32_t, EventView> earlier; ///< in the section, by variable
        for (const std::uint32_t id : trace.events_of(thread)) {
            const EventView event = trace[EventId{id}];
            if (takes_lock(event)) {
                for (const EventView outer : held) nested_.push_back({outer.id(), event.id()});
                held.push_back(event);
            } else if (gives_back(event)) {
                std::erase_if(held, [&](const EventView& one) { return one.lock() == event.lock(); });
                earlier.clear();
            } else if (is_plain_access(event.kind()) && !held.empty()) {
                if (const auto first = earlier.find(event.variable().value); first != earlier.end())
                    claim_violations(first->second, event, accesses.at(event.variable().value));
                earlier.insert_or_assign(event.variable().value, event);
            }
        }
    }
    void claim_violations(const EventView& first, const EventView& second,
                          const std::vector<EventView>& others) {
        for (const EventView remote : others) {
            const auto pattern = atomicity_pattern(writes_memory(first.kind()), writes_memory(remote.kind()),
                                                   writes_memory(second.kind()));
            if (remote.thread() != first.thread() && pattern && remote.bytes().overlaps(first.bytes()) &&
                remote.bytes().overlaps(second.bytes()) && atomicity_violations.size() < kMost)
                atomicity_violations.emplace_back(
                    AtomicityViolation{first.id(), remote.id(), second.id(), *pattern});
        }
    }
    /// Cycles of two if there are, anything that looks like one otherwise.
    void claim_deadlocks(const Trace& trace) {
        std::vector<Property> no_cycles;
        for (const DeadlockStep& one : nested_) {
            for (const DeadlockStep& other : nested_) {
                if (trace[one.holds].thread() >= trace[other.holds].thread()) continue;
                const bool cycle = trace[one.requests].lock() == trace[other.holds].lock() &&
                                   trace[other.requests].lock() == trace[one.holds].lock();
                std::vector<Property>& claims = cycle ? deadlocks : no_cycles;
                if (claims.size() < kMost) claims.emplace_back(Deadlock{{one, other}});
            }
        }
        if (deadlocks.empty()) deadlocks = std::move(no_cycles);
    }

    std::vector<DeadlockStep> nested_;
};

std::vector<EventId> stands_of(const Property& property) {
    if (const auto* race = std::get_if<Race>(&property)) return {race->first, race->second};
    if (const auto* triple = std::get_if<AtomicityViolation>(&property))
        return {triple->second, triple->remote};
    std::vector<EventId> stands;
    for (const DeadlockStep& step : std::get<Deadlock>(property).steps) stands.push_back(step.requests);
    return stands;
}

/// Threads of the claim come up to where they stand, the others anywhere; in which order is left to chance.
Schedule made_up(const Trace& trace, const Property& property, Random& random) {
    std::vector<std::vector<std::uint32_t>> rest(trace.thread_count());
    for (std::uint32_t thread = 0; thread < rest.size(); ++thread) {
        const ThreadIndex& events = trace.events_of(ThreadId{thread});
        std::size_t end = random() % (events.size() + 1);
        for (const EventId stand : stands_of(property)) {
            if (trace[stand].thread().value != thread) continue;
            for (end = 0; events[end] != stand.value;) ++end;
        }
        for (std::size_t i = 0; i < end; ++i) rest[thread].push_back(events[i]);
        std::ranges::reverse(rest[thread]);
    }
    Schedule schedule;
    for (;;) {
        std::vector<std::uint32_t> left;
        for (std::uint32_t thread = 0; thread < rest.size(); ++thread) {
            if (!rest[thread].empty()) left.push_back(thread);
        }
        if (left.empty()) return schedule;
        std::vector<std::uint32_t>& next = rest[left[random() % left.size()]];
        for (std::size_t run = 1 + random() % 8; run > 0 && !next.empty(); --run) {
            schedule.steps.push_back(EventId{next.back()});
            next.pop_back();
        }
    }
}

class NoBug : public testing::TestWithParam<std::string> {
  protected:
    static std::optional<Property> claim(const Claims& claims, Random& random) {
        const std::vector<Property>* kinds[] = {&claims.races, &claims.atomicity_violations,
                                                &claims.deadlocks};
        for (std::size_t tries = 0; tries < 30; ++tries) {
            const std::vector<Property>& some = *kinds[random() % 3];
            if (!some.empty()) return some[random() % some.size()];
        }
        return std::nullopt;
    }
};

TEST_P(NoBug, is_confirmed_by_no_schedule) {
    const TemporaryFolder folder;
    const std::string path = folder.file("run.htr");
    ASSERT_TRUE(record({std::string(HEDDLE_SAMPLE_PROGRAMS) + "/" + GetParam()}, path));
    const auto loaded = load_trace(path);
    ASSERT_TRUE(loaded);
    const Claims claims(loaded->trace);
    std::size_t replayed = 0;
    for (const std::uint64_t seed : random_traces(4)) {
        Random random(seed);
        const std::optional<Property> claimed = claim(claims, random);
        ASSERT_TRUE(claimed) << "the run gives nothing to claim";
        const bool as_recorded = random() % 4 == 0;
        const replay::ReplayRequest request{
            .recorded = &loaded->trace,
            .told = &loaded->trace,
            .property = *claimed,
            .schedule = as_recorded ? Schedule{.base = stands_of(*claimed)[0], .steps = {}}
                                    : made_up(loaded->trace, *claimed, random),
            .recorder = HEDDLE_RECORDER_FOLDER,
            .quiet = true,
            .attempts = 1,
            .stall = std::chrono::milliseconds(150),
            .explore = random() % 8 == 0};
        const auto done = replay::replay(request);
        if (!done) continue; // what cannot be planned is refused
        ++replayed;
        EXPECT_FALSE(done->confirmed) << "seed " << seed << ", kind " << claimed->index();
        EXPECT_FALSE(done->explanation.empty()) << "seed " << seed;
    }
    EXPECT_GT(replayed, 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Correct, NoBug,
    testing::Values("account_correct.gcc-O1", "barrier_phases.clang-O1", "bounded_buffer.gcc-O2",
                    "connection_pool.gcc-O1", "dining_ordered.clang-O2", "dining_waiter.gcc-O1",
                    "double_checked_atomic.gcc-O1", "elevator.clang-O1", "fork_join.gcc-O1",
                    "hand_over_hand.clang-O1", "letter_correct.gcc-O1", "lock_benchmark.gcc-O1",
                    "locks_and_notify.gcc-O1", "locks_in_turn.gcc-O1", "price_quote_awaited.clang-O1",
                    "relay.gcc-O1", "seat_booking_closed.gcc-O1", "spin_lock.gcc-O1", "token_ring.gcc-O1"),
    [](const auto& about) {
        std::string name = about.param;
        std::ranges::replace(name, '.', '_');
        std::ranges::replace(name, '-', '_');
        return name;
    });

} // namespace
} // namespace heddle::test
