#include "analysis/witness/checker_record.h"

#include <algorithm>

namespace heddle::checker {

namespace {

bool acquires(MemoryOrder order) {
    using enum MemoryOrder;
    return order == consume || order == acquire || order == acq_rel || order == seq_cst;
}

bool releases(MemoryOrder order) {
    using enum MemoryOrder;
    return order == release || order == acq_rel || order == seq_cst;
}

} // namespace

Record::Record(const Trace& trace, std::span<const EventId> steps)
    : accessed_(trace.objects(ObjectKind::variable).size()), contents_(accessed_.size()),
      writers_(accessed_.size(), kNothingWritten), heads_(accessed_.size()), forks_(trace.thread_count()),
      begun_(trace.thread_count()) {
    for (const EventId step : steps) {
        steps_.push_back({.event = step});
        if (is_access(trace[step].kind())) accessed_[trace[step].target()] = true;
    }
    pass(trace);
    add_later_needs(trace);
}

const StepRecord& Record::of(EventId step) const {
    return *std::ranges::lower_bound(steps_, step, {}, &StepRecord::event);
}

void Record::pass(const Trace& trace) {
    auto next = steps_.begin();
    for (const EventView event : trace.events()) {
        StepRecord* step = nullptr;
        if (next != steps_.end() && next->event == event.id()) step = &*next++;
        if (!begun_[event.thread().value]) {
            begun_[event.thread().value] = true;
            const EventId fork = forks_[event.thread().value];
            if (step != nullptr && fork.valid()) step->needs.push_back(fork);
        }
        if (!is_access(event.kind())) {
            note_needs(trace, event, step);
        } else if (accessed_[event.target()]) {
            note_access(trace, event, step);
        }
    }
}

void Record::note_access(const Trace& trace, const EventView& event, StepRecord* step) {
    Writers& writers = writers_[event.target()];
    const ByteRange bytes = event.bytes();
    if (reads_memory(event.kind())) {
        if (step != nullptr) step->seen = writers;
        FirstContent& content = contents_[event.target()];
        for (unsigned byte = bytes.offset; event.has_value() && byte < bytes.offset + bytes.size; ++byte) {
            if (writers[byte] != kUnwritten) continue;
            content.known |= static_cast<std::uint8_t>(1U << byte);
            content.bytes[byte] =
                static_cast<std::uint8_t>(trace.value_read_by(event) >> (8U * (byte - bytes.offset)));
        }
    }
    const bool atomic = traits(event.kind()).atomic;
    const bool acquiring = atomic && reads_memory(event.kind()) && acquires(event.order());
    std::vector<EventId>& heads = heads_[event.target()];
    if (step != nullptr && acquiring) step->needs.insert(step->needs.end(), heads.begin(), heads.end());
    if (!writes_memory(event.kind())) return;
    const bool releasing = atomic && releases(event.order());
    // A read-modify-write that acquires is taken after all heads, and so stands for them once it is one.
    if (event.kind() != EventKind::atomic_rmw || (acquiring && releasing)) heads.clear();
    if (releasing) heads.push_back(event.id());
    for (unsigned byte = bytes.offset; byte < bytes.offset + bytes.size; ++byte)
        writers[byte] = event.id().value;
}

void Record::note_needs(const Trace& trace, const EventView& event, StepRecord* step) {
    switch (event.kind()) {
    case EventKind::fork: forks_[event.other_thread().value] = event.id(); break;
    case EventKind::wait_pre:
    case EventKind::wait_post:
    case EventKind::notify:
    case EventKind::notify_all: note_wait(trace, event, step); break;
    case EventKind::barrier_enter:
        if (event.has_value()) entered_[{event.target(), trace.value_of(event)}].push_back(event.id());
        break;
    case EventKind::sem_init:
        if (event.has_value()) counted_[event.target()] = event.id();
        break;
    case EventKind::sem_post:
    case EventKind::sem_wait:
        if (const auto init = counted_.find(event.target()); step != nullptr && init != counted_.end())
            step->needs.push_back(init->second);
        break;
    case EventKind::once_end: onces_[event.target()] = event.id(); break;
    case EventKind::once_seen:
        if (const auto end = onces_.find(event.target()); step != nullptr && end != onces_.end())
            step->needs.push_back(end->second);
        break;
    case EventKind::happens_before: marks_[event.target()].push_back(event.id()); break;
    case EventKind::happens_after:
        if (step != nullptr) step->needs = marks_[event.target()];
        break;
    default: break;
    }
}

void Record::note_wait(const Trace& trace, const EventView& event, StepRecord* step) {
    const Numbered waiter = {event.thread().value, event.target()};
    if (event.kind() == EventKind::wait_pre) {
        waits_[waiter] = event.id();
        return;
    }
    if (!event.has_value()) return;
    const Numbered ticket = {event.target(), trace.value_of(event)};
    if (event.kind() != EventKind::wait_post) {
        notifies_[ticket] = event.id();
        return;
    }
    const auto notify = notifies_.find(ticket);
    if (notify == notifies_.end()) return;
    if (step != nullptr) step->needs.push_back(notify->second);
    if (const auto began = waits_.find(waiter); began != waits_.end())
        woken_[notify->second].push_back(began->second);
}

/// What is known only at the end of the run.
void Record::add_later_needs(const Trace& trace) {
    for (StepRecord& step : steps_) {
        const EventView event = trace[step.event];
        switch (event.kind()) {
        case EventKind::join:
            if (const auto& all = trace.events_of(event.other_thread()); all.size() > 0)
                step.needs.emplace_back(all[all.size() - 1]);
            break;
        case EventKind::notify:
        case EventKind::notify_all:
            if (const auto woken = woken_.find(step.event); woken != woken_.end())
                step.needs.insert(step.needs.end(), woken->second.begin(), woken->second.end());
            break;
        case EventKind::barrier_leave:
            if (event.has_value()) {
                const std::vector<EventId>& all = entered_[{event.target(), trace.value_of(event)}];
                step.needs.insert(step.needs.end(), all.begin(), all.end());
            }
            break;
        default: break;
        }
    }
}

} // namespace heddle::checker
