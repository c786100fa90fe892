#include "analysis/witness/run_index.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace heddle {

namespace {

constexpr std::uint8_t mask_of(ByteRange bytes) {
    return static_cast<std::uint8_t>(((1U << bytes.size) - 1U) << bytes.offset);
}

} // namespace

void RunIndex::extend(const Trace& trace) {
    const std::size_t taken = previous_.size();
    previous_.resize(trace.size());
    variables_.resize(std::max(variables_.size(), trace.objects(ObjectKind::variable).size()));
    threads_.resize(std::max(threads_.size(), trace.thread_count()));
    for (const EventView event : trace.events(EventId{taken}, EventId{trace.size()})) {
        if (is_access(event.kind())) {
            take_access(trace, event);
            continue;
        }
        Thread& thread = threads_[event.thread().value];
        switch (event.kind()) {
        case EventKind::acquire:
        case EventKind::acquire_shared:
            if (thread.held++ == 0) thread.stretches.push_back({event.id(), {}});
            break;
        case EventKind::release:
        case EventKind::release_shared:
            if (--thread.held == 0) thread.stretches.back().release = event.id();
            break;
        case EventKind::wait_pre:
            if (thread.held > 0) thread.stretches.back().waits = true;
            break;
        case EventKind::txn_begin:
            if (thread.marks++ == 0) thread.marked.push_back({event.id(), {}});
            break;
        case EventKind::txn_end:
            if (--thread.marks == 0) thread.marked.back().release = event.id();
            break;
        default: break;
        }
    }
}

void RunIndex::take_access(const Trace& trace, const EventView& event) {
    Variable& variable = variables_[event.target()];
    previous_[event.id().value] = {variable.access, variable.write};
    variable.access = event.id().value;
    if (!variable.thread.valid()) variable.thread = event.thread();
    variable.shared = variable.shared || variable.thread != event.thread();
    const std::uint8_t bytes = mask_of(event.bytes());
    const auto fresh = static_cast<std::uint8_t>(bytes & ~variable.written & ~variable.known);
    if (fresh != 0 && event.has_value() && reads_memory(event.kind())) {
        const std::uint64_t value = trace.value_read_by(event) << (8U * event.bytes().offset);
        for (unsigned byte = 0; byte < 8; ++byte)
            if ((fresh >> byte & 1U) != 0)
                variable.first[byte] = static_cast<std::uint8_t>(value >> (8U * byte));
        variable.known |= fresh;
    }
    if (writes_memory(event.kind())) take_write(variable, event.id(), bytes);
}

void RunIndex::take_write(Variable& variable, EventId write, std::uint8_t bytes) {
    const EventId before{std::exchange(variable.write, write.value)};
    const std::uint8_t written = std::exchange(variable.written, variable.written | bytes);
    if (variable.in_parts == kWhole) {
        if (!before.valid() || written == bytes) return;
        variable.in_parts = static_cast<std::uint32_t>(in_parts_.size());
        Part& whole = in_parts_.emplace_back().emplace_back(Part{.bytes = written, .writes = {}});
        for (EventId at = before; at.valid(); at = EventId{previous_[at.value].write})
            whole.writes.push_back(at);
        std::ranges::reverse(whole.writes);
    }
    std::vector<Part>& parts = in_parts_[variable.in_parts];
    auto part = std::ranges::find(parts, bytes, &Part::bytes);
    if (part == parts.end()) part = parts.insert(part, Part{.bytes = bytes, .writes = {}});
    part->writes.push_back(write);
}

EventId RunIndex::write_before(const std::vector<Part>& parts, EventId access, unsigned bytes) {
    EventId last;
    for (const Part& part : parts) {
        if ((part.bytes & bytes) == 0) continue;
        const auto after = std::ranges::lower_bound(part.writes, access);
        if (after == part.writes.begin()) continue;
        if (!last.valid() || *std::prev(after) > last) last = *std::prev(after);
    }
    return last;
}

std::optional<std::uint64_t> RunIndex::first_content(VarId variable, ByteRange bytes) const {
    const Variable& about = variables_[variable.value];
    if ((mask_of(bytes) & ~about.known) != 0) return std::nullopt;
    std::uint64_t content = 0;
    for (unsigned byte = 0; byte < bytes.size; ++byte)
        content |= std::uint64_t{about.first[bytes.offset + byte]} << (8U * byte);
    return content;
}

std::optional<RunIndex::Stretch> RunIndex::find(const std::vector<Stretch>& stretches, EventId event) {
    const auto after = std::ranges::lower_bound(stretches, event, {}, &Stretch::acquire);
    if (after == stretches.begin()) return std::nullopt;
    const Stretch& last = *std::prev(after);
    if (last.release.valid() && last.release < event) return std::nullopt;
    return last;
}

} // namespace heddle
