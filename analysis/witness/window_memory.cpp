#include "analysis/witness/window_memory.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace heddle {

namespace {

constexpr unsigned mask_of(ByteRange bytes) {
    return ((1U << bytes.size) - 1U) << bytes.offset;
}

/// The part of an access's value that lies in a slot.
std::uint64_t part_of(std::uint64_t value, ByteRange access, ByteRange slot) {
    const std::uint64_t shifted = value >> (8U * (slot.offset - access.offset));
    return slot.size == 8 ? shifted : shifted & ((std::uint64_t{1} << (8U * slot.size)) - 1U);
}

std::uint64_t key(EventId write, std::uint32_t slot) {
    return std::uint64_t{write.value} << 32U | slot;
}

} // namespace

void WindowMemory::survey(const EventView& access, StrandNumber strand) {
    const auto [found, is_new] = variables_.try_emplace(access.target());
    Variable& variable = found->second;
    if (is_new) {
        variable.strand = strand;
        variable.any = access.id();
    }
    variable.several = variable.several || variable.strand != strand;
    variable.written = variable.written || writes_memory(access.kind());
    const ByteRange bytes = access.bytes();
    variable.cuts |= 1U << bytes.offset | 1U << (bytes.offset + bytes.size);
    if (!reads_memory(access.kind()) || variable.from_outside) return;
    unsigned missing = mask_of(bytes);
    for (EventId write = index_.write_before(access.variable(), access.id(), missing);
         write.valid() && write >= base_; write = index_.write_before(access.variable(), write, missing)) {
        if (!within(write)) variable.from_outside = true;
        missing &= ~mask_of(trace_[write].bytes());
    }
}

template<typename Visit>
void WindowMemory::for_each_slot(const Variable& variable, ByteRange bytes, Visit visit) const {
    std::uint32_t slot = variable.first_slot;
    unsigned from = 8;
    for (unsigned byte = 0; byte <= 8; ++byte) {
        if ((variable.cuts >> byte & 1U) == 0) continue;
        if (from < byte) {
            if (from >= bytes.offset && byte <= unsigned{bytes.offset} + bytes.size)
                visit(slot,
                      ByteRange{static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(byte - from)});
            ++slot;
        }
        from = byte;
    }
}

void WindowMemory::settle(WindowProgram& program) {
    for (auto& entry : variables_) {
        Variable& variable = entry.second;
        if (!variable.matters()) continue;
        variable.first_slot = static_cast<std::uint32_t>(program.contents.size());
        for_each_slot(variable, {}, [&](std::uint32_t, ByteRange bytes) {
            program.contents.push_back(content_at_base(variable.any, bytes));
        });
    }
    program.slots = program.contents.size();
}

WindowProgram::Content WindowMemory::content_of(EventId write, ByteRange slot) const {
    const EventView event = trace_[write];
    if (!event.has_value()) return {};
    return {.known = true, .value = part_of(trace_.value_of(event), event.bytes(), slot)};
}

WindowProgram::Content WindowMemory::content_at_base(EventId any, ByteRange bytes) const {
    WindowProgram::Content content{.known = true};
    unsigned missing = mask_of(bytes);
    const VarId variable = trace_[any].variable();
    for (EventId write = index_.write_before(variable, any, missing); write.valid();
         write = index_.write_before(variable, write, missing)) {
        if (write >= base_) continue;
        for (unsigned byte = 0; byte < bytes.size; ++byte) {
            const ByteRange one{static_cast<std::uint8_t>(bytes.offset + byte), 1};
            if ((missing & mask_of(one)) == 0 || !trace_[write].bytes().overlaps(one)) continue;
            missing &= ~mask_of(one);
            const WindowProgram::Content part = content_of(write, one);
            content.known = content.known && part.known;
            content.value |= part.value << (8U * byte);
        }
    }
    for (unsigned byte = 0; byte < bytes.size; ++byte) {
        const ByteRange one{static_cast<std::uint8_t>(bytes.offset + byte), 1};
        if ((missing & mask_of(one)) == 0) continue;
        const auto first = index_.first_content(variable, one);
        content.known = content.known && first.has_value();
        content.value |= first.value_or(0) << (8U * byte);
    }
    return content;
}

void WindowMemory::add(WindowProgram& program, const EventView& access, WindowProgram::Progress taken,
                       WindowProgram::Step& step) {
    const Variable& variable = variables_.at(access.target());
    step.first_read = static_cast<std::uint32_t>(program.reads.size());
    step.first_write = static_cast<std::uint32_t>(program.writes.size());
    for_each_slot(variable, access.bytes(), [&](std::uint32_t slot, ByteRange bytes) {
        if (reads_memory(access.kind())) find_source(program, access, slot, bytes);
        if (!writes_memory(access.kind())) return;
        const auto content = static_cast<std::uint32_t>(program.contents.size());
        program.contents.push_back(content_of(access.id(), bytes));
        program.contents.back().written = taken;
        program.writes.push_back({slot, content});
        written_.emplace(key(access.id(), slot), content);
    });
    step.last_read = static_cast<std::uint32_t>(program.reads.size());
    step.last_write = static_cast<std::uint32_t>(program.writes.size());
}

void WindowMemory::find_source(WindowProgram& program, const EventView& read, std::uint32_t slot,
                               ByteRange bytes) {
    const auto number = static_cast<std::uint32_t>(program.reads.size());
    program.reads.push_back({.slot = slot, .saw = slot, .known = read.has_value()});
    if (read.has_value())
        program.reads.back().value = part_of(trace_.value_read_by(read), read.bytes(), bytes);
    const EventId write = index_.write_before(read.variable(), read.id(), mask_of(bytes));
    // Writes of the window cover slots as a whole.
    if (write.valid() && write >= base_)
        unconnected_.push_back({number, within(write) ? write : EventId{}, slot});
}

void WindowMemory::connect(WindowProgram& program) const {
    for (const Unconnected& one : unconnected_) {
        const auto content =
            one.write.valid() ? written_.find(key(one.write, one.slot_of_write)) : written_.end();
        program.reads[one.read].saw = content == written_.end() ? WindowProgram::kNone : content->second;
    }
    // Where a read asks for one very write, writes are told apart, else only what they wrote.
    std::vector<bool> by_write(program.slots);
    for (const WindowProgram::Read& read : program.reads) {
        const bool by_value =
            read.known && (read.saw == WindowProgram::kNone || program.contents[read.saw].known);
        if (!by_value) by_write[read.slot] = true;
    }
    std::map<std::tuple<std::uint32_t, std::uint64_t>, std::uint32_t> kinds;
    const auto number = [&](std::uint32_t content, std::uint32_t slot) {
        WindowProgram::Content& about = program.contents[content];
        about.kind = content;
        if (about.known && !by_write[slot])
            about.kind = kinds.try_emplace({slot, about.value}, content).first->second;
    };
    for (std::uint32_t slot = 0; slot < program.slots; ++slot) number(slot, slot);
    for (const WindowProgram::Write& write : program.writes) number(write.content, write.slot);
}

} // namespace heddle
