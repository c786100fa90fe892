#include "analysis/witness/checker.h"

#include "analysis/witness/checker_record.h"
#include "analysis/witness/checker_state.h"
#include "traces/tried.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

namespace heddle {

namespace {

using checker::Record;
using checker::State;

bool is_acquire(const EventView& event) {
    return event.kind() == EventKind::acquire || event.kind() == EventKind::acquire_shared;
}

bool conflict(const EventView& a, const EventView& b) {
    return a.thread() != b.thread() && is_access(a.kind()) && is_access(b.kind()) &&
           a.target() == b.target() && a.bytes().overlaps(b.bytes()) &&
           (writes_memory(a.kind()) || writes_memory(b.kind()));
}

/// Whether the thread still has the lock of `holds` when it comes to `requests`.
bool held_until(const Trace& trace, const EventView& holds, const EventView& requests) {
    const auto& sequence = trace.events_of(holds.thread());
    for (std::size_t at = trace.index_in_thread(holds.id()) + std::size_t{1}; at < sequence.size(); ++at) {
        const EventView event = trace[EventId{sequence[at]}];
        if (event.id() == requests.id()) return true;
        const bool gives_back =
            event.kind() == EventKind::release || event.kind() == EventKind::release_shared;
        if (gives_back && event.target() == holds.target()) return false;
    }
    return false;
}

/// Whether the events make a violation at all; where a schedule leads is another question.
struct WellFormed {
    const Trace& trace;

    [[nodiscard]] bool operator()(const Race& race) const {
        const EventView first = trace[race.first];
        const EventView second = trace[race.second];
        return conflict(first, second) && !(traits(first.kind()).atomic && traits(second.kind()).atomic);
    }
    [[nodiscard]] bool operator()(const AtomicityViolation& violation) const {
        const EventView first = trace[violation.first];
        const EventView remote = trace[violation.remote];
        const EventView second = trace[violation.second];
        return first.thread() == second.thread() && first.id() < second.id() && conflict(first, remote) &&
               conflict(remote, second) &&
               atomicity_pattern(first.kind(), remote.kind(), second.kind()) == violation.pattern;
    }
    [[nodiscard]] bool operator()(const Deadlock& deadlock) const {
        const std::vector<DeadlockStep>& steps = deadlock.steps;
        if (steps.size() < 2) return false;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const EventView holds = trace[steps[i].holds];
            const EventView requests = trace[steps[i].requests];
            const EventView next = trace[steps[(i + 1) % steps.size()].holds];
            if (holds.thread() != requests.thread() || !is_acquire(holds) || !is_acquire(requests) ||
                !is_acquire(next) || !held_until(trace, holds, requests))
                return false;
            const bool excludes = next.kind() == EventKind::acquire || requests.kind() == EventKind::acquire;
            if (requests.target() != next.target() || !excludes || was_tried(requests)) return false;
            for (std::size_t k = 0; k < i; ++k)
                if (trace[steps[k].holds].thread() == holds.thread()) return false;
        }
        return true;
    }
};

std::vector<EventId> all_events_of(const Property& property) {
    std::vector<EventId> events = events_of(property);
    if (const auto* deadlock = std::get_if<Deadlock>(&property))
        for (const DeadlockStep& step : deadlock->steps) events.push_back(step.holds);
    return events;
}

/// Whether all that the claim names is there.
bool within(const Trace& trace, const WitnessClaim& claim) {
    const auto known = [&](EventId event) { return event.value < trace.size(); };
    return claim.schedule.base.value <= trace.size() && std::ranges::all_of(claim.schedule.steps, known) &&
           std::ranges::all_of(all_events_of(claim.property), known);
}

/// Takes the steps of a claim in a state that stands at its base.
class Play {
  public:
    Play(const Trace& trace, const WitnessClaim& claim, State& state)
        : trace_(trace), claim_(claim), state_(state) {}

    [[nodiscard]] Result<void> run() {
        const auto* violation = std::get_if<AtomicityViolation>(&claim_.property);
        std::optional<Result<void>> remote; // whether it was faithful, in case its thread goes on
        for (const EventId step : claim_.schedule.steps) {
            if (step < claim_.schedule.base) return fail("a step is before the base");
            const EventView event = trace_[step];
            if (remote && event.thread() == trace_[violation->remote].thread() && !*remote) return *remote;
            Result<void> faithful = state_.faithful(step);
            if (Result<void> taken = state_.take(step, faithful.has_value()); !taken) return taken;
            if (violation != nullptr && step == violation->remote) {
                remote = faithful;
                if (!state_.taken(violation->first))
                    return fail("the remote access comes before the transaction's first");
            } else if (!faithful && !(violation != nullptr && step == violation->second)) {
                return faithful;
            }
        }
        return violation != nullptr ? ends_violation(*violation) : stands_at(events_of(claim_.property));
    }

  private:
    [[nodiscard]] Result<void> stands_at(const std::vector<EventId>& events) const {
        for (const EventId event : events) {
            if (!state_.at(event))
                return fail("the schedule does not end where event " + std::to_string(event.value) +
                            " is the next of its thread");
        }
        return {};
    }

    [[nodiscard]] Result<void> ends_violation(const AtomicityViolation& violation) const {
        const Schedule& schedule = claim_.schedule;
        const bool as_recorded = schedule.steps.empty() && schedule.base.value == violation.second.value + 1;
        if (!as_recorded && (schedule.steps.empty() || schedule.steps.back() != violation.second))
            return fail("the schedule does not end with the transaction's second access");
        if (!state_.taken(violation.remote)) return fail("the remote access is not taken");
        // A remote access that was a step came after the first; one of the recorded prefix has to have, too.
        if (violation.remote < schedule.base && violation.remote < violation.first)
            return fail("the remote access comes before the transaction's first");
        return {};
    }

    const Trace& trace_;
    const WitnessClaim& claim_;
    State& state_;
};

} // namespace

std::vector<Result<void>> check_witnesses(const Trace& trace, std::span<const WitnessClaim> claims) {
    std::vector<Result<void>> results(claims.size());
    std::vector<std::size_t> order; // of those that can be played, by base
    std::vector<EventId> steps;
    for (std::size_t i = 0; i < claims.size(); ++i) {
        if (!within(trace, claims[i])) {
            results[i] = fail("it names an event that the run does not have");
        } else if (!std::visit(WellFormed{trace}, claims[i].property)) {
            results[i] = fail("its events make no violation");
        } else {
            order.push_back(i);
            steps.insert(steps.end(), claims[i].schedule.steps.begin(), claims[i].schedule.steps.end());
        }
    }
    if (order.empty()) return results;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return claims[i].schedule.base; });
    std::ranges::sort(steps);
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());

    const Record record(trace, steps);
    State state(trace, record);
    EventId at{0U};
    for (const std::size_t i : order) {
        const EventId base = claims[i].schedule.base;
        for (const EventView event : trace.events(at, base)) state.follow(event);
        at = base;
        results[i] = Play(trace, claims[i], state).run();
        state.undo_all();
    }
    return results;
}

Result<void> check_witness(const Trace& trace, const Property& property, const Schedule& schedule) {
    const WitnessClaim claim{property, schedule};
    return check_witnesses(trace, {&claim, 1}).front();
}

} // namespace heddle
