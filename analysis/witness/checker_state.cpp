#include "analysis/witness/checker_state.h"

#include "traces/describe.h"

#include <algorithm>
#include <string>

namespace heddle::checker {

namespace {

std::string in_words(const Trace& trace, EventId id) {
    const EventView event = trace[id];
    return "event " + std::to_string(id.value) + " (" +
           trace.display_name(ObjectKind::thread, event.thread().value) + " " + describe(trace, event) + ")";
}

} // namespace

State::State(const Trace& trace, const Record& record)
    : trace_(trace), record_(record), positions_(trace.thread_count()),
      locks_(trace.objects(ObjectKind::lock).size()),
      semaphores_(trace.objects(ObjectKind::semaphore).size()),
      memory_(trace.objects(ObjectKind::variable).size(), kNothingWritten) {}

void State::follow(const EventView& event) {
    ++positions_[event.thread().value];
    if (!is_access(event.kind())) {
        apply(event);
    } else if (writes_memory(event.kind()) && record_.accessed(event.variable())) {
        write(event, event.id().value);
    }
}

Result<void> State::take(EventId step, bool faithful) {
    const EventView event = trace_[step];
    const auto& sequence = trace_.events_of(event.thread());
    std::uint32_t& position = positions_[event.thread().value];
    if (position >= sequence.size() || sequence[position] != step.value)
        return fail(in_words(trace_, step) + " is not the next event of its thread");
    if (Result<void> result = allowed(event); !result) return result;
    ++position;
    steps_.push_back(step);
    if (writes_memory(event.kind())) {
        overwritten_.push_back({steps_.size(), event.variable(), memory_[event.target()]});
        write(event, faithful ? step.value : kUnknownWrite);
    }
    apply(event);
    return {};
}

void State::undo_all() {
    for (; !steps_.empty(); steps_.pop_back()) {
        const EventView event = trace_[steps_.back()];
        --positions_[event.thread().value];
        revert(event);
        if (overwritten_.empty() || overwritten_.back().taken != steps_.size()) continue;
        memory_[overwritten_.back().variable.value] = overwritten_.back().writers;
        overwritten_.pop_back();
    }
}

bool State::taken(EventId event) const {
    const ThreadId thread = trace_[event].thread();
    const auto& sequence = trace_.events_of(thread);
    const std::uint32_t position = positions_[thread.value];
    return position == sequence.size() || event.value < sequence[position];
}

bool State::at(EventId event) const {
    const ThreadId thread = trace_[event].thread();
    const auto& sequence = trace_.events_of(thread);
    const std::uint32_t position = positions_[thread.value];
    if (position >= sequence.size() || sequence[position] != event.value) return false;
    const EventId fork = record_.fork_of(thread);
    return position > 0 || !fork.valid() || taken(fork);
}

Result<void> State::allowed(const EventView& event) const {
    for (const EventId need : record_.of(event.id()).needs) {
        if (!taken(need))
            return fail(in_words(trace_, event.id()) + " comes before " + in_words(trace_, need) +
                        ", which it has to wait for");
    }
    switch (event.kind()) {
    case EventKind::acquire:
    case EventKind::acquire_shared: return lock_allows(event);
    case EventKind::sem_wait:
        if (const Semaphore& semaphore = semaphores_[event.target()];
            semaphore.counted && semaphore.count <= 0)
            return fail(in_words(trace_, event.id()) + " finds the count at 0");
        return {};
    default: return {};
    }
}

Result<void> State::lock_allows(const EventView& event) const {
    const Lock& lock = locks_[event.target()];
    ThreadId holder{lock.owner};
    if (!holder.valid() && event.kind() == EventKind::acquire) {
        const auto other =
            std::ranges::find_if(lock.sharers, [&](ThreadId one) { return one != event.thread(); });
        if (other != lock.sharers.end()) holder = *other;
    }
    if (!holder.valid() || holder == event.thread()) return {};
    return fail(in_words(trace_, event.id()) + " asks for a lock that " +
                trace_.display_name(ObjectKind::thread, holder.value) + " holds");
}

Result<void> State::faithful(EventId step) const {
    const EventView event = trace_[step];
    if (!reads_memory(event.kind())) return {};
    const Writers& recorded = record_.of(step).seen;
    const Writers& now = memory_[event.target()];
    const ByteRange bytes = event.bytes();
    for (unsigned byte = bytes.offset; byte < bytes.offset + bytes.size; ++byte) {
        if (now[byte] == recorded[byte]) continue;
        const auto content =
            static_cast<std::uint8_t>(trace_.value_read_by(event) >> (8U * (byte - bytes.offset)));
        if (event.has_value() && holds(now[byte], event.variable(), byte, content)) continue;
        return fail(in_words(trace_, step) + " does not see what it saw in the recorded run");
    }
    return {};
}

bool State::holds(std::uint32_t writer, VarId variable, unsigned byte, std::uint8_t content) const {
    if (writer == kUnwritten) {
        const FirstContent& first = record_.first_content(variable);
        return (first.known >> byte & 1U) != 0 && first.bytes[byte] == content;
    }
    if (writer == kUnknownWrite) return false;
    const EventView write = trace_[EventId{writer}];
    return write.has_value() && static_cast<std::uint8_t>(trace_.value_of(write) >>
                                                          (8U * (byte - write.bytes().offset))) == content;
}

void State::write(const EventView& event, std::uint32_t writer) {
    Writers& writers = memory_[event.target()];
    const ByteRange bytes = event.bytes();
    for (unsigned byte = bytes.offset; byte < bytes.offset + bytes.size; ++byte) writers[byte] = writer;
}

void State::apply(const EventView& event) {
    switch (event.kind()) {
    case EventKind::acquire: locks_[event.target()].owner = event.thread().value; break;
    case EventKind::release: locks_[event.target()].owner = kNobody; break;
    case EventKind::acquire_shared: locks_[event.target()].sharers.push_back(event.thread()); break;
    case EventKind::release_shared: std::erase(locks_[event.target()].sharers, event.thread()); break;
    case EventKind::sem_init:
        if (event.has_value())
            semaphores_[event.target()] = {true, static_cast<std::int64_t>(trace_.value_of(event))};
        break;
    case EventKind::sem_post: ++semaphores_[event.target()].count; break;
    case EventKind::sem_wait: --semaphores_[event.target()].count; break;
    default: break;
    }
}

void State::revert(const EventView& event) {
    switch (event.kind()) {
    case EventKind::acquire: locks_[event.target()].owner = kNobody; break;
    case EventKind::release: locks_[event.target()].owner = event.thread().value; break;
    case EventKind::acquire_shared: std::erase(locks_[event.target()].sharers, event.thread()); break;
    case EventKind::release_shared: locks_[event.target()].sharers.push_back(event.thread()); break;
    case EventKind::sem_init:
        if (event.has_value()) semaphores_[event.target()] = {};
        break;
    case EventKind::sem_post: --semaphores_[event.target()].count; break;
    case EventKind::sem_wait: ++semaphores_[event.target()].count; break;
    default: break;
    }
}

} // namespace heddle::checker
