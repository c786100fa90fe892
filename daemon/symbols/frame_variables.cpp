#include "daemon/symbols/frame_variables.h"

#include "daemon/symbols/dwarf_tree.h"

#include <utility>

namespace heddle::symbols {

namespace {

/// The register that an address is relative to; nothing for those that a frame does not determine.
std::optional<FrameBase> base_of_register(unsigned number) {
    if (number == 6) return FrameBase::frame_pointer; // rbp
    if (number == 7) return FrameBase::stack_pointer; // rsp
    return std::nullopt;
}

} // namespace

FrameVariables::FrameVariables(Dwarf_Die function) {
    Dwarf_Attribute attribute;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_attr(&function, DW_AT_frame_base, &attribute) != nullptr &&
        dwarf_getlocation(&attribute, &operations, &count) == 0 && count == 1) {
        const unsigned atom = operations[0].atom;
        base_ = atom == DW_OP_call_frame_cfa ? FrameBase::cfa : base_of_register(atom - DW_OP_reg0);
    }
    walk(function, 0);
}

void FrameVariables::walk(Dwarf_Die parent, std::size_t depth) {
    if (depth >= kLimits.depth) return;
    for_each_child(parent, [&](Dwarf_Die& entry) {
        if (++seen_ > kLimits.entries) return;
        switch (dwarf_tag(&entry)) {
        case DW_TAG_variable:
        case DW_TAG_formal_parameter: add(entry); break;
        case DW_TAG_lexical_block:
        case DW_TAG_inlined_subroutine:
        case DW_TAG_try_block:
        case DW_TAG_catch_block: walk(entry, depth + 1); break;
        default: break;
        }
    });
}

void FrameVariables::add(Dwarf_Die& variable) {
    const std::string_view name = text_of(variable, DW_AT_name);
    const auto type = name.empty() ? std::nullopt : type_of(variable);
    const std::uint64_t size = type ? size_of(*type) : 0;
    Dwarf_Attribute location;
    if (size == 0 || dwarf_attr(&variable, DW_AT_location, &location) == nullptr) return;
    // A variable can be in several places over its life.
    constexpr std::size_t kMost = 64;
    Dwarf_Addr base = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    std::ptrdiff_t at = 0;
    for (std::size_t i = 0; i < kMost; ++i) {
        at = dwarf_getlocations(&location, at, &base, &begin, &end, &operations, &count);
        if (at <= 0) break;
        if (count != 1) continue;
        const unsigned atom = operations[0].atom;
        const auto from = atom == DW_OP_fbreg ? base_ : base_of_register(atom - DW_OP_breg0);
        const auto offset = static_cast<std::int64_t>(operations[0].number);
        if (from) variables_.push_back({*from, offset, size, std::string(name), *type});
    }
}

std::optional<NamedBytes> FrameVariables::find(const CallFrame& frame, ByteSpan bytes) const {
    std::optional<NamedBytes> found;
    for (const Variable& variable : variables_) {
        const std::uint64_t address =
            frame.address_of(variable.base) + static_cast<std::uint64_t>(variable.offset);
        if (!ByteSpan{address, address + variable.size}.contains(bytes)) continue;
        const Member member =
            member_at(variable.type, variable.size, {bytes.begin - address, bytes.end - address});
        NamedBytes named{.name = variable.name + member.path,
                         .bytes = {address + member.bytes.begin, address + member.bytes.end}};
        if (found && found->name != named.name) return std::nullopt;
        found = std::move(named);
    }
    return found;
}

} // namespace heddle::symbols
