#include "analysis/witness/solver_replay.h"

#include <algorithm>

namespace heddle::solver {

Replay::Replay(SolverWindow& window, const Formula& formula, const Property& property, BaseMemory memory)
    : window_(window), formula_(formula), memory_at_base_(memory),
      needed_(window.trace().thread_count(), EventId{0U}) {
    if (const auto* violation = std::get_if<AtomicityViolation>(&property)) {
        violation_ = *violation;
    } else {
        stops_ = events_of(property);
    }
}

void Replay::run() {
    line_up(formula_.placed());
    look_at_all();
    begin();
    do {
        grown_ = false;
        attempt();
    } while (grown_);
}

// --- the solution ------------------------------------------------------------------------------------

/// Events without an order variable go along with the next one of their thread that has one.
void Replay::line_up(std::vector<Placed> placed) {
    if (violation_) {
        const auto last = std::ranges::find(placed, violation_->second, &Placed::event);
        std::rotate(last, std::next(last), placed.end());
    }
    std::vector<std::size_t> position(needed_.size());
    for (const Placed& one : placed) {
        const ThreadId thread = window_.thread_of(one.event);
        const auto events = window_.events_of(thread);
        std::size_t& at = position[thread.value];
        while (at < events.size() && events[at] <= one.event) {
            rank_.emplace(events[at].value, line_.size());
            line_.push_back(events[at++]);
        }
    }
}

/// Whose writes the reads of the whole solution see.
void Replay::look_at_all() {
    Memory memory;
    for (const EventId event : line_) {
        const EventView view = window_.trace()[event];
        if (reads_memory(view.kind())) {
            std::vector<EventId>& writers = seen_[event.value];
            for (const ReadPart& part : window_.read_rule(event).parts)
                writers.push_back(writer_of(memory, view.target(), part));
        }
        write(memory, event);
    }
}

bool Replay::in_solution_before(EventId event, EventId other) const {
    if (!event.valid()) return false;
    const auto found = rank_.find(event.value);
    return found != rank_.end() && found->second < rank_.at(other.value);
}

// --- what is needed of it ----------------------------------------------------------------------------

void Replay::begin() {
    for (const EventId stop : stops_) {
        const EventId previous = window_.previous(stop);
        const EventId last = previous.valid() ? previous : window_.fork_before(stop);
        if (last.valid()) need(last);
    }
    if (!violation_) return;
    need(violation_->second);
    need(violation_->remote);
}

void Replay::need(EventId event) {
    EventId& bound = needed_[window_.thread_of(event).value];
    if (event < bound) return;
    bound = EventId{event.value + 1};
    grown_ = true;
}

/// Goes on when more is needed, to learn of other needs at once; then what is broken means nothing.
void Replay::attempt() {
    steps_.clear();
    locks_.clear();
    memory_.clear();
    broken_ = {};
    remote_faithful_ = true;
    reached_.assign(needed_.size(), window_.base());
    for (const EventId event : line_) {
        const EventView view = window_.trace()[event];
        if (event >= needed_[view.thread().value]) continue;
        check_needs(event);
        if (view.kind() == EventKind::acquire || view.kind() == EventKind::acquire_shared) check_lock(event);
        if (window_.counted(event)) check_count(event);
        if (reads_memory(view.kind())) check_read(event);
        apply(event);
    }
}

void Replay::apply(EventId event) {
    const EventView view = window_.trace()[event];
    reached_[view.thread().value] = EventId{event.value + 1};
    steps_.push_back(event);
    write(memory_, event);
    switch (view.kind()) {
    case EventKind::acquire:
    case EventKind::acquire_shared: holders(view.lock()).push_back(window_.section(event)); break;
    case EventKind::release:
    case EventKind::release_shared:
        std::erase_if(holders(view.lock()),
                      [&](const LockSection& section) { return section.thread == view.thread(); });
        break;
    default: break;
    }
}

bool Replay::reached(EventId event) const {
    return event < reached_[window_.thread_of(event).value];
}

// --- synchronisation ---------------------------------------------------------------------------------

void Replay::check_needs(EventId event) {
    for (const EventId other : window_.needs(event)) {
        if (reached(other)) continue;
        if (in_solution_before(other, event)) {
            need(other);
        } else {
            broken_.needs.emplace_back(event, other);
        }
    }
}

std::vector<LockSection>& Replay::holders(LockId lock) {
    const auto [found, fresh] = locks_.try_emplace(lock.value);
    if (fresh) found->second = window_.held_at_base(lock);
    return found->second;
}

void Replay::check_lock(EventId acquire) {
    const LockSection& section = window_.section(acquire);
    for (const LockSection& held : holders(section.lock)) {
        if (!held.excludes(section)) continue;
        if (in_solution_before(held.release, acquire)) {
            need(held.release);
        } else {
            broken_.exclusions.emplace_back(held, section);
        }
    }
}

void Replay::check_count(EventId wait) {
    const CountRule& rule = window_.count_rule(wait);
    const auto enough = [&](auto came_before) {
        return std::ranges::count_if(rule.posts, came_before) + std::ssize(rule.waits) -
                   std::ranges::count_if(rule.waits, came_before) >=
               rule.needed;
    };
    if (enough([&](EventId other) { return reached(other); })) return;
    const auto in_solution = [&](EventId other) { return in_solution_before(other, wait); };
    if (!enough(in_solution)) {
        broken_.counts.push_back(wait);
        return;
    }
    EventId earliest;
    for (const EventId post : rule.posts) {
        if (reached(post) || !in_solution(post)) continue;
        if (!earliest.valid() || in_solution_before(post, earliest)) earliest = post;
    }
    need(earliest);
}

// --- memory ------------------------------------------------------------------------------------------

EventId Replay::writer_of(const Memory& memory, std::uint32_t variable, const ReadPart& part) {
    const auto found = memory.find(variable);
    return found == memory.end() ? EventId{} : found->second[part.bytes.front()];
}

void Replay::write(Memory& memory, EventId event) const {
    const EventView view = window_.trace()[event];
    if (!writes_memory(view.kind())) return;
    Writers& writers = memory[view.target()];
    for (unsigned byte = 0; byte < view.bytes().size; ++byte) writers[view.bytes().offset + byte] = event;
}

bool Replay::sees(const ReadRule& rule, std::size_t part, EventId writer) const {
    const ReadPart& wanted = rule.parts[part];
    if (writer.valid()) {
        const bool known = remote_faithful_ || writer != violation_->remote;
        return known && std::ranges::binary_search(wanted.good, writer);
    }
    if (memory_at_base_ == BaseMemory::recorded || wanted.base_certain) return wanted.base_fits;
    return formula_.sees_base(rule.read, part);
}

void Replay::check_read(EventId read) {
    if (violation_ && read == violation_->second) return;
    const ReadRule& rule = window_.read_rule(read);
    const EventView view = window_.trace()[read];
    const bool remote = violation_ && read == violation_->remote;
    const bool may_be_unfaithful = remote && needed_[view.thread().value].value == read.value + 1;
    for (std::size_t part = 0; part < rule.parts.size(); ++part) {
        const EventId writer = writer_of(memory_, view.target(), rule.parts[part]);
        if (sees(rule, part, writer)) continue;
        const EventId in_solution = seen_[read.value][part];
        const bool curable = in_solution != writer && sees(rule, part, in_solution);
        // What others read of a remote read-modify-write is worth something only if it is faithful.
        if (curable && (!may_be_unfaithful || writes_memory(view.kind()))) {
            need(in_solution);
        } else if (may_be_unfaithful) {
            remote_faithful_ = false;
        } else {
            broken_.reads.push_back(read);
            if (!remote_faithful_ && writer == violation_->remote) broken_.reads.push_back(writer);
            return;
        }
    }
}

} // namespace heddle::solver
