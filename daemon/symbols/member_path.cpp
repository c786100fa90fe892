#include "daemon/symbols/member_path.h"

#include "daemon/symbols/dwarf_tree.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace heddle::symbols {

namespace {

/// Names that begin with an underscore and a capital letter, or with two underscores.
bool is_reserved(std::string_view name) {
    return name.size() >= 2 && name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
}

/// Follows typedefs, const and the like.
std::optional<Dwarf_Die> plain_type(Dwarf_Die type) {
    for (std::size_t i = 0; i < kLimits.type_depth; ++i) {
        switch (dwarf_tag(&type)) {
        case DW_TAG_typedef:
        case DW_TAG_const_type:
        case DW_TAG_volatile_type:
        case DW_TAG_restrict_type:
        case DW_TAG_atomic_type: break;
        default: return type;
        }
        const auto next = entry_of(type, DW_AT_type);
        if (!next) return std::nullopt;
        type = *next;
    }
    return std::nullopt;
}

/// A step from a variable into one of its parts.
struct Step {
    Dwarf_Die type{};
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::string text;
};

std::optional<std::uint64_t> offset_of_member(Dwarf_Die& member, bool in_union) {
    if (const auto offset = number_of(member, DW_AT_data_member_location)) return offset;
    if (const auto bits = number_of(member, DW_AT_data_bit_offset)) return *bits / 8;
    if (dwarf_hasattr(&member, DW_AT_data_member_location) != 0) return std::nullopt; // of a virtual base
    // Static members have no place in the object; members of unions are at its start.
    if (!in_union || dwarf_hasattr(&member, DW_AT_external) != 0) return std::nullopt;
    return 0;
}

/// A member, or a base class, and the bytes of the object that it takes.
std::optional<Step> step_to(Dwarf_Die& member, bool in_union) {
    const int tag = dwarf_tag(&member);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return std::nullopt;
    const auto offset = offset_of_member(member, in_union);
    const auto type = offset ? entry_of(member, DW_AT_type) : std::nullopt;
    if (!type) return std::nullopt;
    const std::uint64_t bits = number_of(member, DW_AT_bit_size).value_or(0);
    const std::string_view name = tag == DW_TAG_member ? text_of(member, DW_AT_name) : "";
    return Step{.type = *type,
                .offset = *offset,
                .size = bits == 0 ? size_of(*type) : (bits + 7) / 8,
                .text = name.empty() ? "" : "." + std::string(name)};
}

std::optional<Step> step_into_class(Dwarf_Die& type, ByteSpan bytes) {
    const bool in_union = dwarf_tag(&type) == DW_TAG_union_type;
    std::optional<Step> found;
    std::optional<Step> unsized; // the last before the bytes: its type is only declared in this unit
    std::uint64_t next = size_of(type);
    std::size_t seen = 0;
    for_each_child(type, [&](Dwarf_Die& entry) {
        if (found || ++seen > kLimits.members) return;
        auto step = step_to(entry, in_union);
        if (!step) return;
        if (step->offset > bytes.begin) {
            next = std::min(next, step->offset);
        } else if (step->size == 0) {
            unsized = std::move(step);
        } else if (ByteSpan{step->offset, step->offset + step->size}.contains(bytes)) {
            found = std::move(step);
        } else if (unsized && step->offset > unsized->offset) {
            unsized.reset();
        }
    });
    if (found || !unsized || next < bytes.end) return found;
    unsized->size = next - unsized->offset;
    return unsized;
}

/// How many elements each dimension has; empty when one is not known.
std::vector<std::uint64_t> dimensions_of(Dwarf_Die& array) {
    std::vector<std::uint64_t> counts;
    bool known = true;
    for_each_child(array, [&](Dwarf_Die& range) {
        if (dwarf_tag(&range) != DW_TAG_subrange_type || counts.size() >= kLimits.type_depth) return;
        const auto last = number_of(range, DW_AT_upper_bound);
        const auto count = number_of(range, DW_AT_count);
        known = known && (count || last);
        counts.push_back(count ? *count : last.value_or(0) + 1);
    });
    return known ? counts : std::vector<std::uint64_t>{};
}

std::optional<Step> step_into_array(Dwarf_Die& array, ByteSpan bytes) {
    const auto element = entry_of(array, DW_AT_type);
    const std::uint64_t size = element ? size_of(*element) : 0;
    const std::vector<std::uint64_t> counts = dimensions_of(array);
    if (size == 0 || counts.empty()) return std::nullopt;
    const std::uint64_t number = bytes.begin / size;
    if (!ByteSpan{number * size, number * size + size}.contains(bytes)) return std::nullopt;
    std::string text;
    std::uint64_t rest = number;
    for (std::size_t i = counts.size(); i-- > 0;) {
        const std::uint64_t index = i == 0 || counts[i] == 0 ? rest : rest % counts[i];
        text.insert(0, "[" + std::to_string(index) + "]");
        rest = counts[i] == 0 ? 0 : rest / counts[i];
    }
    return Step{*element, number * size, size, std::move(text)};
}

std::optional<Step> step_into(Dwarf_Die type, ByteSpan bytes) {
    auto plain = plain_type(type);
    if (!plain) return std::nullopt;
    switch (dwarf_tag(&*plain)) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type: return step_into_class(*plain, bytes);
    case DW_TAG_array_type: return step_into_array(*plain, bytes);
    default: return std::nullopt;
    }
}

} // namespace

std::uint64_t size_of(Dwarf_Die type) {
    Dwarf_Word size = 0;
    return dwarf_aggregate_size(&type, &size) == 0 ? size : 0;
}

Member member_at(Dwarf_Die type, std::uint64_t size, ByteSpan bytes) {
    Member member{.path = {}, .bytes = {0, size}};
    for (std::size_t depth = 0; depth < kLimits.type_depth; ++depth) {
        const ByteSpan inside{bytes.begin - member.bytes.begin, bytes.end - member.bytes.begin};
        const auto step = step_into(type, inside);
        if (!step) break;
        const bool elements_of_array = step->text == "._M_elems"; // of std::array
        if (step->text.size() > 1 && is_reserved(step->text.substr(1)) && !elements_of_array) break;
        type = step->type;
        if (!elements_of_array) member.path += step->text;
        member.bytes.begin += step->offset;
        member.bytes.end = member.bytes.begin + step->size;
    }
    return member;
}

} // namespace heddle::symbols
