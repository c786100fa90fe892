#include "witness_oracle.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace heddle::testing_support {
namespace {

/// The part of a value of these bytes that lies in a cell.
std::uint64_t part(std::uint64_t value, ByteRange bytes, unsigned cell_offset, unsigned cell_size) {
    const std::uint64_t ones = ~std::uint64_t{0} >> (64U - cell_size * 8U);
    return value >> (cell_offset - bytes.offset) * 8U & ones;
}

/// What a read or write says of its content in one cell; nothing when it carries no value.
using Content = std::optional<std::uint64_t>;

} // namespace

WitnessOracle::WitnessOracle(const Trace& trace, std::size_t max_states)
    : trace_(trace), oracle_(trace, max_states), max_states_(max_states), touches_(trace.size()) {
    find_cells();
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) find_touches(cell);
    const StateId start = state_of(Positions(trace_.thread_count()), Memory(cells_.size()));
    const Seed seed{{start, nobody()}, 0};
    from_start_ = spread(std::span(&seed, 1), nobody(), EventId{});
    begin_ = Positions(trace_.thread_count());
}

WitnessOracle::WitnessOracle(const Trace& trace, EventId base, Beginning beginning) : WitnessOracle(trace) {
    begin_at(base, beginning);
}

void WitnessOracle::begin_at(EventId base, Beginning beginning) {
    StateId recorded = 0; // the start was the first state
    for (const EventView event : trace_.events(EventId{0U}, base)) {
        recorded = successor(recorded, event.thread().value);
        ++begin_[event.thread().value];
    }
    std::vector<Seed> seeds;
    for (std::size_t node = 0; node < from_start_.size(); ++node) {
        const auto state = static_cast<StateId>(node / (nobody() + 1));
        const bool begins =
            beginning == Beginning::any ? states_[state].positions == begin_ : state == recorded;
        if (from_start_[node] != kFar && begins) seeds.push_back({{state, nobody()}, 0});
    }
    from_start_ = spread(seeds, nobody(), EventId{});
}

// --- memory ------------------------------------------------------------------------------------------

void WitnessOracle::find_cells() {
    std::map<std::uint32_t, std::set<std::uint8_t>> cuts; // by variable
    for (const EventView event : trace_.events()) {
        if (!is_access(event.kind())) continue;
        cuts[event.target()].insert(event.bytes().offset);
        cuts[event.target()].insert(static_cast<std::uint8_t>(event.bytes().offset + event.bytes().size));
    }
    for (const auto& [variable, at] : cuts) {
        for (auto cut = at.begin(); std::next(cut) != at.end(); ++cut)
            cells_.push_back({variable, *cut, static_cast<std::uint8_t>(*std::next(cut) - *cut), 0});
    }
}

void WitnessOracle::find_touches(std::size_t cell) {
    struct Read {
        EventId event;
        std::size_t saw = 0; ///< a write
        Content content;
    };
    struct Write {
        EventId event;
        Content content;
    };
    std::vector<Read> reads;
    std::vector<Write> writes = {{}}; // the first is what memory holds at the start
    Cell& place = cells_[cell];
    for (const EventView event : trace_.events()) {
        const ByteRange bytes = event.bytes();
        if (!is_access(event.kind()) || event.target() != place.variable ||
            !bytes.overlaps({place.offset, place.size}))
            continue;
        const auto content = [&](std::uint64_t value) {
            return event.has_value() ? Content(part(value, bytes, place.offset, place.size)) : Content();
        };
        if (reads_memory(event.kind())) {
            reads.push_back({event.id(), writes.size() - 1, content(trace_.value_read_by(event))});
            if (writes.size() == 1 && event.has_value()) writes.front().content = reads.back().content;
        }
        if (writes_memory(event.kind())) writes.push_back({event.id(), content(trace_.value_of(event))});
    }

    // Writes that satisfy the same reads are one class.
    std::map<std::vector<bool>, Class> classes;
    std::vector<Class> class_of(writes.size());
    for (std::size_t write = 0; write < writes.size(); ++write) {
        std::vector<bool> satisfies;
        satisfies.reserve(reads.size());
        for (const Read& read : reads) {
            const Content& content = writes[write].content;
            satisfies.push_back(read.saw == write || (content && read.content && *content == *read.content));
        }
        class_of[write] = classes.emplace(std::move(satisfies), classes.size()).first->second;
    }
    place.unknown = static_cast<Class>(classes.size());
    for (std::size_t read = 0; read < reads.size(); ++read) {
        std::vector<bool> may_see(classes.size() + 1);
        for (const auto& [satisfies, number] : classes) may_see[number] = satisfies[read];
        touches_[reads[read].event.value].push_back({cell, 0, std::move(may_see)});
    }
    for (std::size_t write = 1; write < writes.size(); ++write) {
        auto& of_event = touches_[writes[write].event.value];
        if (of_event.empty() || of_event.back().cell != cell) of_event.push_back({cell, 0, {}});
        of_event.back().writes = class_of[write];
    }
}

bool WitnessOracle::sees_what_it_saw(EventId event, const Memory& memory) const {
    if (!reads_memory(trace_[event].kind())) return true;
    const auto& touches = touches_[event.value];
    return std::all_of(touches.begin(), touches.end(),
                       [&](const Touch& touch) { return touch.may_see[memory[touch.cell]]; });
}

void WitnessOracle::write(EventId event, bool faithful, Memory& memory) const {
    if (!writes_memory(trace_[event].kind())) return;
    for (const Touch& touch : touches_[event.value])
        memory[touch.cell] = faithful ? touch.writes : cells_[touch.cell].unknown;
}

// --- states ------------------------------------------------------------------------------------------

EventId WitnessOracle::next_event(std::size_t thread, const Positions& positions) const {
    const auto& events = trace_.events_of(ThreadId{thread});
    return positions[thread] < events.size() ? EventId{events[positions[thread]]} : EventId{};
}

WitnessOracle::StateId WitnessOracle::state_of(Positions positions, Memory memory) {
    std::u32string key;
    for (const std::size_t position : positions) key += static_cast<char32_t>(position);
    for (const Class content : memory) key += static_cast<char32_t>(content);
    const auto [found, fresh] = ids_.emplace(std::move(key), static_cast<StateId>(states_.size()));
    if (fresh) {
        const std::size_t threads = positions.size();
        states_.push_back({std::move(positions), std::move(memory), std::vector(threads, kUnknown)});
        too_large_ |= states_.size() > max_states_;
    }
    return found->second;
}

WitnessOracle::StateId WitnessOracle::after(StateId state, EventId event, bool faithful) {
    Positions positions = states_[state].positions;
    Memory memory = states_[state].memory;
    ++positions[thread_of(event)];
    write(event, faithful, memory);
    return state_of(std::move(positions), std::move(memory));
}

WitnessOracle::StateId WitnessOracle::successor(StateId state, std::size_t thread) {
    if (states_[state].next[thread] == kUnknown) {
        const Positions& positions = states_[state].positions;
        const EventId event = next_event(thread, positions);
        const bool possible = event.valid() && oracle_.allowed(event, positions) &&
                              sees_what_it_saw(event, states_[state].memory);
        const StateId next = possible ? after(state, event, true) : kBlocked;
        states_[state].next[thread] = next; // `after` may have moved the states
    }
    return states_[state].next[thread];
}

// --- searching ---------------------------------------------------------------------------------------

WitnessOracle::Distances WitnessOracle::spread(std::span<const Seed> seeds, std::size_t frozen,
                                               EventId barred) {
    Distances distances;
    std::vector<std::vector<Node>> at_distance;
    const auto reach = [&](Node node, std::uint32_t distance) {
        if (index(node) >= distances.size()) distances.resize(states_.size() * (nobody() + 1), kFar);
        if (distances[index(node)] <= distance) return;
        distances[index(node)] = distance;
        if (at_distance.size() <= distance) at_distance.resize(distance + 1);
        at_distance[distance].push_back(node);
    };
    for (const Seed& seed : seeds) reach(seed.node, seed.distance);
    for (std::uint32_t distance = 0; distance < at_distance.size() && !too_large_; ++distance) {
        for (std::size_t k = 0; k < at_distance[distance].size(); ++k) { // grows while steps cost nothing
            const Node node = at_distance[distance][k];
            if (distances[index(node)] < distance) continue;
            for (std::size_t thread = 0; thread < nobody(); ++thread) {
                if (thread == frozen) continue;
                if (barred.valid() && next_event(thread, states_[node.state].positions) == barred) continue;
                const StateId next = successor(node.state, thread);
                if (next == kBlocked) continue;
                reach({next, thread}, distance + switches(node.last, thread));
            }
        }
    }
    return distances;
}

std::optional<std::size_t> WitnessOracle::to_all_next(std::span<const EventId> events) const {
    std::uint32_t best = kFar;
    for (std::size_t node = 0; node < from_start_.size(); ++node) {
        if (from_start_[node] >= best) continue;
        const Positions& positions = states_[node / (nobody() + 1)].positions;
        const bool there = std::all_of(events.begin(), events.end(),
                                       [&](EventId event) { return oracle_.is_next(event, positions); });
        if (there) best = from_start_[node];
    }
    return best == kFar ? std::nullopt : std::optional<std::size_t>(best);
}

std::optional<std::size_t> WitnessOracle::to_violation(const AtomicityViolation& violation) {
    const std::size_t remote_thread = thread_of(violation.remote);
    const std::size_t own_thread = thread_of(violation.second);

    std::vector<Seed> faithful;
    std::vector<Seed> unfaithful; // the remote thread takes no further step
    for (std::size_t at = 0; at < from_start_.size(); ++at) {
        if (from_start_[at] == kFar) continue;
        const Node node{static_cast<StateId>(at / (nobody() + 1)), at % (nobody() + 1)};
        const Positions& positions = states_[node.state].positions;
        if (oracle_.taken(violation.remote, begin_)) {
            // It was before the beginning; there all was as recorded, or nobody asks.
            if (positions == begin_ && violation.first < violation.remote)
                faithful.push_back({node, from_start_[at]});
            continue;
        }
        if (!oracle_.taken(violation.first, positions) || oracle_.taken(violation.second, positions) ||
            !oracle_.is_next(violation.remote, positions) || !oracle_.allowed(violation.remote, positions))
            continue;
        const bool sees = sees_what_it_saw(violation.remote, states_[node.state].memory);
        const StateId next = after(node.state, violation.remote, sees);
        (sees ? faithful : unfaithful)
            .push_back({{next, remote_thread}, from_start_[at] + switches(node.last, remote_thread)});
    }

    std::uint32_t best = kFar;
    const auto finish = [&](const std::vector<Seed>& seeds, std::size_t frozen) {
        const Distances distances = spread(seeds, frozen, violation.second);
        for (std::size_t at = 0; at < distances.size(); ++at) {
            if (distances[at] == kFar) continue;
            const Positions& positions = states_[at / (nobody() + 1)].positions;
            if (!oracle_.is_next(violation.second, positions) ||
                !oracle_.allowed(violation.second, positions))
                continue;
            best = std::min(best, distances[at] + switches(at % (nobody() + 1), own_thread));
        }
    };
    finish(faithful, nobody());
    finish(unfaithful, remote_thread);
    return best == kFar ? std::nullopt : std::optional<std::size_t>(best);
}

std::optional<std::size_t> WitnessOracle::fewest_switches(const Property& property) {
    if (const auto* race = std::get_if<Race>(&property)) {
        const EventId both[] = {race->first, race->second};
        return to_all_next(both);
    }
    if (const auto* violation = std::get_if<AtomicityViolation>(&property)) return to_violation(*violation);
    std::vector<EventId> requests;
    for (const DeadlockStep& step : std::get<Deadlock>(property).steps) requests.push_back(step.requests);
    return to_all_next(requests);
}

// --- checking ----------------------------------------------------------------------------------------

bool WitnessOracle::is_witness(const Property& property, const Schedule& schedule) const {
    if (schedule.base.value > trace_.size()) return false;
    std::vector<EventId> all;
    for (std::size_t event = 0; event < schedule.base.value; ++event) all.emplace_back(event);
    for (const EventId event : schedule.steps) {
        if (event < schedule.base || event.value >= trace_.size()) return false;
        all.push_back(event);
    }
    if (!oracle_.is_schedule(all)) return false;

    const auto* violation = std::get_if<AtomicityViolation>(&property);
    const auto when = [&](EventId event) { return std::find(all.begin(), all.end(), event) - all.begin(); };
    const auto exempt = [&](EventId event) {
        if (violation == nullptr) return false;
        if (event == violation->second) return true;
        return event == violation->remote &&
               std::none_of(all.begin() + when(event) + 1, all.end(),
                            [&](EventId later) { return thread_of(later) == thread_of(event); });
    };
    Positions positions(trace_.thread_count());
    Memory memory(cells_.size());
    for (const EventId event : all) {
        const bool faithful = sees_what_it_saw(event, memory);
        if (!faithful && !exempt(event)) return false;
        write(event, faithful, memory);
        ++positions[thread_of(event)];
    }

    if (violation != nullptr) {
        return !all.empty() && all.back() == violation->second &&
               when(violation->first) < when(violation->remote) &&
               when(violation->remote) + 1 < std::ssize(all);
    }
    std::vector<EventId> ends;
    if (const auto* race = std::get_if<Race>(&property)) {
        ends = {race->first, race->second};
    } else {
        for (const DeadlockStep& step : std::get<Deadlock>(property).steps) ends.push_back(step.requests);
    }
    return std::all_of(ends.begin(), ends.end(),
                       [&](EventId event) { return oracle_.is_next(event, positions); });
}

} // namespace heddle::testing_support
