#include "oracle.h"

#include "traces/tried.h"

#include <algorithm>
#include <limits>
#include <sstream>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace heddle::testing_support {
namespace {

bool acquires(MemoryOrder order) {
    return order == MemoryOrder::acquire || order == MemoryOrder::consume || order == MemoryOrder::acq_rel ||
           order == MemoryOrder::seq_cst;
}

bool releases(MemoryOrder order) {
    return order == MemoryOrder::release || order == MemoryOrder::acq_rel || order == MemoryOrder::seq_cst;
}

bool is_acquire(EventKind kind) {
    return kind == EventKind::acquire || kind == EventKind::acquire_shared;
}

bool is_release(EventKind kind) {
    return kind == EventKind::release || kind == EventKind::release_shared;
}

bool conflict(const EventView& a, const EventView& b) {
    return a.thread() != b.thread() && is_access(a.kind()) && is_access(b.kind()) &&
           a.target() == b.target() && a.bytes().overlaps(b.bytes()) &&
           (writes_memory(a.kind()) || writes_memory(b.kind()));
}

AtomicityPattern pattern_of(const EventView& first, const EventView& remote, const EventView& second) {
    if (!writes_memory(remote.kind())) return AtomicityPattern::wrw;
    if (writes_memory(first.kind()))
        return writes_memory(second.kind()) ? AtomicityPattern::www : AtomicityPattern::wwr;
    return writes_memory(second.kind()) ? AtomicityPattern::rww : AtomicityPattern::rwr;
}

/// The events of the thread, in order.
std::vector<EventView> sequence(const Trace& trace, ThreadId thread) {
    std::vector<EventView> result;
    for (const EventView event : trace.events()) {
        if (event.thread() == thread) result.push_back(event);
    }
    return result;
}

/// The position of what closes the block or section that begins at `begin`, or the last one.
std::size_t closing(const std::vector<EventView>& events, std::size_t begin) {
    const bool block = events[begin].kind() == EventKind::txn_begin;
    std::size_t depth = 0;
    for (std::size_t at = begin; at < events.size(); ++at) {
        const EventKind kind = events[at].kind();
        const bool same =
            block || ((is_acquire(kind) || is_release(kind)) && events[at].lock() == events[begin].lock());
        if (!same) continue;
        if (block ? kind == EventKind::txn_begin : is_acquire(kind)) ++depth;
        if ((block ? kind == EventKind::txn_end : is_release(kind)) && --depth == 0) return at;
    }
    return events.size() - 1;
}

bool waits_inside(const std::vector<EventView>& events, std::size_t first, std::size_t last) {
    return std::any_of(events.begin() + static_cast<std::ptrdiff_t>(first),
                       events.begin() + static_cast<std::ptrdiff_t>(last) + 1, [](const EventView& event) {
                           return event.kind() == EventKind::wait_pre || event.kind() == EventKind::wait_post;
                       });
}

} // namespace

std::vector<Transaction> transactions_of(const Trace& trace) {
    std::vector<Transaction> result;
    for (std::size_t thread = 0; thread < trace.thread_count(); ++thread) {
        const std::vector<EventView> events = sequence(trace, ThreadId{thread});
        for (std::size_t first = 0; first < events.size(); ++first) {
            const bool section = is_acquire(events[first].kind());
            if (!section && events[first].kind() != EventKind::txn_begin) continue;
            const std::size_t last = closing(events, first);
            if (section && waits_inside(events, first, last)) continue;
            result.push_back({ThreadId{thread}, first, last});
        }
    }
    return result;
}

std::string in_words(const Property& property) {
    std::ostringstream text;
    const auto add = [&](EventId id) { text << ' ' << id.value; };
    if (const auto* race = std::get_if<Race>(&property)) {
        text << "race";
        add(race->first);
        add(race->second);
    } else if (const auto* violation = std::get_if<AtomicityViolation>(&property)) {
        text << "atomicity";
        add(violation->first);
        add(violation->remote);
        add(violation->second);
    } else {
        text << "deadlock";
        for (const DeadlockStep& step : std::get<Deadlock>(property).steps) {
            add(step.holds);
            add(step.requests);
        }
    }
    return text.str();
}

Deadlock canonical(Deadlock deadlock) {
    const auto first =
        std::min_element(deadlock.steps.begin(), deadlock.steps.end(),
                         [](const DeadlockStep& a, const DeadlockStep& b) { return a.holds < b.holds; });
    std::rotate(deadlock.steps.begin(), first, deadlock.steps.end());
    return deadlock;
}

Oracle::Oracle(const Trace& trace, std::size_t max_states)
    : trace_(trace), position_(trace.size()), must_follow_(trace.size()) {
    std::vector<std::size_t> length(trace_.thread_count());
    for (const EventView event : trace_.events())
        position_[event.id().value] = length[event.thread().value]++;
    find_prerequisites();
    find_releases_to_acquire();
    find_holds();
    explore(max_states);
}

// --- what must come before what ----------------------------------------------------------------------

void Oracle::find_prerequisites() {
    using enum EventKind;
    for (const EventView event : trace_.events()) {
        std::vector<EventId>& before = must_follow_[event.id().value];
        for (const EventView other : trace_.events()) {
            const bool earlier = other.id() < event.id();
            const bool same_target = other.target() == event.target();
            const bool same_value =
                other.has_value() && event.has_value() && other.raw_value() == event.raw_value();
            bool needed = position_[event.id().value] == 0 && other.kind() == fork &&
                          other.other_thread() == event.thread();
            switch (event.kind()) {
            case join: needed |= other.thread() == event.other_thread(); break;
            case barrier_leave: needed |= other.kind() == barrier_enter && same_target && same_value; break;
            case sem_wait:
            case sem_post: needed |= other.kind() == sem_init && same_target && other.has_value(); break;
            case once_seen: needed |= other.kind() == once_end && same_target && earlier; break;
            case happens_after: needed |= other.kind() == happens_before && same_target && earlier; break;
            default: break;
            }
            if (needed && other.thread() != event.thread()) before.push_back(other.id());
        }
        if (event.kind() != wait_post || !event.has_value()) continue;
        EventId notifier;
        EventId wait;
        for (const EventView other : trace_.events(EventId{std::size_t{0}}, event.id())) {
            if (other.target() != event.target()) continue;
            const bool notifies = other.kind() == notify || other.kind() == notify_all;
            if (notifies && other.has_value() && other.raw_value() == event.raw_value())
                notifier = other.id();
            if (other.kind() == wait_pre && other.thread() == event.thread()) wait = other.id();
        }
        if (!notifier.valid()) continue;
        before.push_back(notifier);
        if (wait.valid()) must_follow_[notifier.value].push_back(wait);
    }
}

void Oracle::find_releases_to_acquire() {
    std::vector<std::vector<EventId>> heads(trace_.objects(ObjectKind::variable).size());
    for (const EventView event : trace_.events()) {
        if (!is_access(event.kind())) continue;
        std::vector<EventId>& head = heads[event.target()];
        const bool loads = event.kind() == EventKind::atomic_load || event.kind() == EventKind::atomic_rmw;
        if (loads && acquires(event.order())) {
            std::vector<EventId>& before = must_follow_[event.id().value];
            before.insert(before.end(), head.begin(), head.end());
        }
        if (!writes_memory(event.kind())) continue;
        if (event.kind() != EventKind::atomic_rmw) head.clear();
        if (event.kind() != EventKind::write && releases(event.order())) head.push_back(event.id());
    }
}

void Oracle::find_holds() {
    const std::vector<Mode> nothing(trace_.objects(ObjectKind::lock).size(), Mode::none);
    holds_.assign(trace_.thread_count(), {nothing});
    for (const EventView event : trace_.events()) {
        auto& of_thread = holds_[event.thread().value];
        std::vector<Mode> after = of_thread.back();
        if (event.kind() == EventKind::acquire) after[event.target()] = Mode::exclusive;
        if (event.kind() == EventKind::acquire_shared) after[event.target()] = Mode::shared;
        if (is_release(event.kind())) after[event.target()] = Mode::none;
        of_thread.push_back(std::move(after));
    }
}

// --- schedules ---------------------------------------------------------------------------------------

Oracle::State Oracle::encode(const Positions& positions) const {
    State state = 0;
    for (std::size_t thread = 0; thread < positions.size(); ++thread)
        state = state * holds_[thread].size() + positions[thread];
    return state;
}

Oracle::Positions Oracle::decode(State state) const {
    Positions positions(holds_.size());
    for (std::size_t thread = positions.size(); thread-- > 0;) {
        positions[thread] = state % holds_[thread].size();
        state /= holds_[thread].size();
    }
    return positions;
}

EventId Oracle::event_at(std::size_t thread, std::size_t position) const {
    return EventId{trace_.events_of(ThreadId{thread})[position]};
}

bool Oracle::taken(EventId event, const Positions& positions) const {
    return positions[trace_[event].thread().value] > position_[event.value];
}

bool Oracle::is_next(EventId event, const Positions& positions) const {
    if (positions[trace_[event].thread().value] != position_[event.value]) return false;
    if (position_[event.value] > 0) return true;
    const auto& before = must_follow_[event.value];
    return std::all_of(before.begin(), before.end(), [&](EventId other) {
        const EventView view = trace_[other];
        const bool starts = view.kind() == EventKind::fork && view.other_thread() == trace_[event].thread();
        return !starts || taken(other, positions);
    });
}

bool Oracle::semaphore_allows(const EventView& event, const Positions& positions) const {
    std::optional<std::uint64_t> count;
    std::uint64_t posts = 0;
    std::uint64_t waits = 0;
    for (const EventView other : trace_.events()) {
        const bool uses = other.kind() == EventKind::sem_init || other.kind() == EventKind::sem_post ||
                          other.kind() == EventKind::sem_wait;
        if (!uses || other.target() != event.target()) continue;
        if (other.kind() == EventKind::sem_init && other.has_value()) count = other.raw_value();
        if (!taken(other.id(), positions)) continue;
        if (other.kind() == EventKind::sem_post) ++posts;
        if (other.kind() == EventKind::sem_wait) ++waits;
    }
    return !count || *count + posts > waits;
}

bool Oracle::allowed(EventId id, const Positions& positions) const {
    const EventView event = trace_[id];
    for (const EventId other : must_follow_[id.value]) {
        if (!taken(other, positions)) return false;
    }
    if (event.kind() == EventKind::sem_wait) return semaphore_allows(event, positions);
    if (!is_acquire(event.kind())) return true;
    const Mode obstacle = event.kind() == EventKind::acquire ? Mode::shared : Mode::exclusive;
    for (std::size_t thread = 0; thread < positions.size(); ++thread) {
        if (thread == event.thread().value) continue;
        if (holds_[thread][positions[thread]][event.target()] >= obstacle) return false;
    }
    return true;
}

std::vector<Oracle::Positions> Oracle::successors(const Positions& positions) const {
    std::vector<Positions> result;
    for (std::size_t thread = 0; thread < positions.size(); ++thread) {
        if (positions[thread] + 1 == holds_[thread].size()) continue;
        if (!allowed(event_at(thread, positions[thread]), positions)) continue;
        result.push_back(positions);
        ++result.back()[thread];
    }
    return result;
}

void Oracle::explore(std::size_t max_states) {
    State all = 1;
    for (const auto& of_thread : holds_) {
        too_large_ |= all > std::numeric_limits<State>::max() / of_thread.size();
        all *= of_thread.size();
    }
    if (too_large_) return;
    std::unordered_set<State> seen = {0};
    reachable_ = {0};
    for (std::size_t at = 0; at < reachable_.size(); ++at) {
        for (const Positions& next : successors(decode(reachable_[at]))) {
            const State state = encode(next);
            if (seen.insert(state).second) reachable_.push_back(state);
        }
        if (reachable_.size() > max_states) {
            too_large_ = true;
            reachable_.clear();
        }
    }
}

// --- feasibility -------------------------------------------------------------------------------------

bool Oracle::all_next(std::span<const EventId> events) const {
    return std::any_of(reachable_.begin(), reachable_.end(), [&](State state) {
        const Positions positions = decode(state);
        return std::all_of(events.begin(), events.end(),
                           [&](EventId event) { return is_next(event, positions); });
    });
}

bool Oracle::feasible_violation(const AtomicityViolation& violation) const {
    const std::size_t remote = trace_[violation.remote].thread().value;
    std::unordered_set<State> seen;
    std::vector<State> open;
    for (const State state : reachable_) {
        Positions positions = decode(state);
        if (!taken(violation.first, positions) || taken(violation.second, positions)) continue;
        if (!is_next(violation.remote, positions) || !allowed(violation.remote, positions)) continue;
        ++positions[remote];
        if (seen.insert(encode(positions)).second) open.push_back(encode(positions));
    }
    while (!open.empty()) {
        const Positions positions = decode(open.back());
        open.pop_back();
        if (taken(violation.second, positions)) return true;
        for (const Positions& next : successors(positions)) {
            if (seen.insert(encode(next)).second) open.push_back(encode(next));
        }
    }
    return false;
}

std::optional<bool> Oracle::feasible(const Property& property) const {
    if (too_large_) return std::nullopt;
    if (const auto* race = std::get_if<Race>(&property)) {
        const EventId both[] = {race->first, race->second};
        return all_next(both);
    }
    if (const auto* violation = std::get_if<AtomicityViolation>(&property))
        return feasible_violation(*violation);
    std::vector<EventId> requests;
    for (const DeadlockStep& step : std::get<Deadlock>(property).steps) requests.push_back(step.requests);
    return all_next(requests);
}

bool Oracle::is_schedule(std::span<const EventId> events) const {
    Positions positions(holds_.size());
    for (const EventId event : events) {
        std::size_t& position = positions[trace_[event].thread().value];
        if (position != position_[event.value] || !allowed(event, positions)) return false;
        ++position;
    }
    return true;
}

std::vector<Property> Oracle::feasible_of(std::span<const Property> properties) const {
    std::vector<Property> result;
    for (const Property& property : properties) {
        if (feasible(property).value()) result.push_back(property);
    }
    return result;
}

// --- all properties ----------------------------------------------------------------------------------

std::vector<Property> Oracle::all_races() const {
    std::vector<Property> result;
    for (const EventView first : trace_.events()) {
        for (const EventView second : trace_.events(first.id(), EventId{trace_.size()})) {
            const bool both_atomic = traits(first.kind()).atomic && traits(second.kind()).atomic;
            if (conflict(first, second) && !both_atomic) result.emplace_back(Race{first.id(), second.id()});
        }
    }
    return result;
}

std::vector<Property> Oracle::all_atomicity_violations(std::span<const Transaction> transactions) const {
    std::vector<AtomicityViolation> found;
    for (const Transaction& transaction : transactions) {
        for (std::size_t i = transaction.first; i <= transaction.last; ++i) {
            for (std::size_t j = i + 1; j <= transaction.last; ++j) {
                const EventView first = trace_[event_at(transaction.thread.value, i)];
                const EventView second = trace_[event_at(transaction.thread.value, j)];
                for (const EventView remote : trace_.events()) {
                    if (!conflict(first, remote) || !conflict(remote, second)) continue;
                    const auto updates = [](const EventView& event) {
                        return event.kind() == EventKind::atomic_rmw;
                    };
                    if (updates(first) && updates(remote) && updates(second)) continue;
                    found.push_back(
                        {first.id(), remote.id(), second.id(), pattern_of(first, remote, second)});
                }
            }
        }
    }
    const auto key = [](const AtomicityViolation& one) {
        return std::tuple(one.first, one.remote, one.second);
    };
    std::sort(found.begin(), found.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return {found.begin(), found.end()};
}

bool Oracle::excludes(const DeadlockStep& holder, const DeadlockStep& requester) const {
    const EventView hold = trace_[holder.holds];
    const EventView request = trace_[requester.requests];
    return hold.lock() == request.lock() &&
           (hold.kind() == EventKind::acquire || request.kind() == EventKind::acquire);
}

std::vector<Property> Oracle::all_deadlocks() const {
    std::vector<DeadlockStep> steps;
    for (std::size_t thread = 0; thread < trace_.thread_count(); ++thread) {
        const std::vector<EventView> events = sequence(trace_, ThreadId{thread});
        for (std::size_t hold = 0; hold < events.size(); ++hold) {
            if (!is_acquire(events[hold].kind())) continue;
            for (std::size_t at = hold + 1; at < events.size(); ++at) {
                const EventKind kind = events[at].kind();
                if (is_release(kind) && events[at].lock() == events[hold].lock()) break;
                if (is_acquire(kind) && !was_tried(events[at]))
                    steps.push_back({events[hold].id(), events[at].id()});
            }
        }
    }
    std::vector<Deadlock> found;
    std::vector<Deadlock> open;
    open.reserve(steps.size());
    for (const DeadlockStep& step : steps) open.push_back({{step}});
    while (!open.empty()) {
        const Deadlock path = std::move(open.back());
        open.pop_back();
        if (path.steps.size() >= 2 && excludes(path.steps.front(), path.steps.back())) found.push_back(path);
        for (const DeadlockStep& step : steps) {
            const bool fresh =
                std::none_of(path.steps.begin(), path.steps.end(), [&](const DeadlockStep& other) {
                    return trace_[other.holds].thread() == trace_[step.holds].thread();
                });
            // The earliest hold comes first, so that each cycle is met once.
            if (!fresh || step.holds < path.steps.front().holds || !excludes(step, path.steps.back()))
                continue;
            open.push_back(path);
            open.back().steps.push_back(step);
        }
    }
    const auto less = [](const DeadlockStep& a, const DeadlockStep& b) {
        return std::tuple(a.holds, a.requests) < std::tuple(b.holds, b.requests);
    };
    std::sort(found.begin(), found.end(), [&](const Deadlock& a, const Deadlock& b) {
        return std::lexicographical_compare(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(),
                                            less);
    });
    return {found.begin(), found.end()};
}

} // namespace heddle::testing_support
