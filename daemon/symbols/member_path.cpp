#include "daemon/symbols/member_path.h"

#include "daemon/symbols/dwarf_tree.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

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
        default:
            // What is only declared here may be in a unit of its own.
            if (dwarf_hasattr(&type, DW_AT_signature) == 0) return type;
        }
        auto next = entry_of(type, DW_AT_signature);
        if (!next) next = entry_of(type, DW_AT_type);
        if (!next) return std::nullopt;
        type = *next;
    }
    return std::nullopt;
}

/// A step from a variable into one of its parts.
struct Step {
    Dwarf_Die type{};
    ByteSpan bytes;
    std::string name; ///< empty: of a base class, or of a member without a name
    bool is_bit_field = false;
};

bool is_class(int tag) {
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

std::optional<std::uint64_t> offset_of_member(Dwarf_Die& member, bool in_union) {
    if (const auto offset = number_of(member, DW_AT_data_member_location)) return offset;
    if (dwarf_hasattr(&member, DW_AT_data_member_location) != 0) return std::nullopt; // of a virtual base
    // Static members have no place in the object; members of unions are at its start.
    if (!in_union || dwarf_hasattr(&member, DW_AT_external) != 0) return std::nullopt;
    return 0;
}

/// The bytes that have bits of a bit-field, by either of the ways in which debug information tells them.
std::optional<ByteSpan> bytes_of_bit_field(Dwarf_Die& member, Dwarf_Die& type, std::uint64_t size) {
    std::uint64_t first = 0;
    if (const auto offset = number_of(member, DW_AT_data_bit_offset)) {
        first = *offset;
    } else {
        const auto unit = offset_of_member(member, true);
        const std::uint64_t unit_size = number_of(member, DW_AT_byte_size).value_or(size_of(type));
        const std::uint64_t from_the_top = number_of(member, DW_AT_bit_offset).value_or(0) + size;
        if (!unit || unit_size * 8 < from_the_top) return std::nullopt;
        first = *unit * 8 + unit_size * 8 - from_the_top;
    }
    return ByteSpan{first / 8, (first + size + 7) / 8};
}

/// A member, or a base class, and the bytes of the object that it takes.
std::optional<Step> step_to(Dwarf_Die& member, bool in_union) {
    const int tag = dwarf_tag(&member);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return std::nullopt;
    auto type = entry_of(member, DW_AT_type);
    if (!type) return std::nullopt;
    Step step{.type = *type,
              .bytes = {},
              .name = std::string(tag == DW_TAG_member ? text_of(member, DW_AT_name) : "")};
    if (const auto bits = number_of(member, DW_AT_bit_size)) {
        const auto bytes = bytes_of_bit_field(member, *type, *bits);
        if (!bytes) return std::nullopt;
        step.bytes = *bytes;
        step.is_bit_field = true;
        return step;
    }
    const auto offset = offset_of_member(member, in_union);
    if (!offset) return std::nullopt;
    step.bytes = {*offset, *offset + size_of(*type)};
    return step;
}

/// A class without members has a size, but what is in its bytes belongs to others.
bool is_empty_class(const Step& step) {
    if (step.bytes.end - step.bytes.begin != 1) return false;
    auto type = plain_type(step.type);
    if (!type || !is_class(dwarf_tag(&*type))) return false;
    bool empty = true;
    for_each_child(*type, [&](Dwarf_Die& entry) {
        const int tag = dwarf_tag(&entry);
        empty = empty && (tag != DW_TAG_member || dwarf_hasattr(&entry, DW_AT_external) != 0) &&
                tag != DW_TAG_inheritance;
    });
    return empty;
}

/// Members of a class that may have some bytes.
struct Members {
    std::vector<Step> around;     ///< have all of them
    std::vector<Step> bit_fields; ///< have some of them
    bool others_overlap = false;  ///< members that have some of them, and are no bit-fields
    std::optional<Step> unsized;  ///< the last before the bytes: its type is only declared in this unit
};

Members members_at(Dwarf_Die& type, ByteSpan bytes) {
    const bool in_union = dwarf_tag(&type) == DW_TAG_union_type;
    Members members;
    std::uint64_t next = size_of(type);
    std::size_t seen = 0;
    for_each_child(type, [&](Dwarf_Die& entry) {
        if (++seen > kLimits.members) return;
        auto step = step_to(entry, in_union);
        if (!step || is_empty_class(*step)) return;
        const bool overlaps = step->bytes.begin < bytes.end && bytes.begin < step->bytes.end;
        if (step->bytes.begin > bytes.begin) next = std::min(next, step->bytes.begin);
        if (step->is_bit_field) {
            if (overlaps) members.bit_fields.push_back(std::move(*step));
        } else if (step->bytes.contains(bytes) && overlaps) {
            members.around.push_back(std::move(*step));
        } else if (overlaps) {
            members.others_overlap = true;
        } else if (step->bytes.begin <= bytes.begin) {
            const bool sized = step->bytes.begin != step->bytes.end;
            if (!sized || (members.unsized && step->bytes.begin > members.unsized->bytes.begin))
                members.unsized = sized ? std::nullopt : std::move(step);
        }
    });
    if (members.unsized) members.unsized->bytes.end = next;
    if (next < bytes.end) members.unsized.reset();
    return members;
}

/// Neighbours share bytes: who writes one of them writes to those of the others.
std::optional<Step> step_to_bit_fields(const std::vector<Step>& fields, ByteSpan bytes) {
    constexpr std::size_t kMostNames = 4;
    if (fields.size() == 1) return fields[0].bytes.contains(bytes) ? std::optional(fields[0]) : std::nullopt;
    if (fields.size() > kMostNames) return std::nullopt;
    Step all{.type = fields[0].type, .bytes = bytes, .name = "{", .is_bit_field = true};
    for (const Step& field : fields) {
        if (field.name.empty()) return std::nullopt;
        all.name += (&field == fields.data() ? "" : ",") + field.name;
        all.bytes.begin = std::min(all.bytes.begin, field.bytes.begin);
        all.bytes.end = std::max(all.bytes.end, field.bytes.end);
    }
    all.name += "}";
    return all;
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
    const ByteSpan around{number * size, number * size + size};
    if (!around.contains(bytes)) return std::nullopt;
    std::string text;
    std::uint64_t rest = number;
    for (std::size_t i = counts.size(); i-- > 0;) {
        const std::uint64_t index = i == 0 || counts[i] == 0 ? rest : rest % counts[i];
        text.insert(0, fmt::format("[{}]", index));
        rest = counts[i] == 0 ? 0 : rest / counts[i];
    }
    return Step{.type = *element, .bytes = around, .name = std::move(text)};
}

/// Goes from a variable into its members, as far as it is clear which.
class Descent {
  public:
    struct Found {
        Member member;
        Dwarf_Die type; ///< of the member
    };

    Found into(Dwarf_Die type, std::uint64_t size, ByteSpan bytes, std::size_t depth = 0) {
        Member member{.path = {}, .bytes = {0, size}};
        for (; depth < kLimits.type_depth; ++depth) {
            const ByteSpan inside{bytes.begin - member.bytes.begin, bytes.end - member.bytes.begin};
            const auto step = step_into(type, inside, depth);
            if (!step) break;
            const bool elements_of_array = step->name == "_M_elems"; // of std::array
            if (is_reserved(step->name) && !elements_of_array) break;
            if (!elements_of_array && !step->name.empty())
                member.path += (step->name.starts_with('[') ? "" : ".") + step->name;
            member.bytes = {member.bytes.begin + step->bytes.begin, member.bytes.begin + step->bytes.end};
            type = step->type;
            if (step->is_bit_field) break;
        }
        return {std::move(member), type};
    }

  private:
    std::optional<Step> step_into(Dwarf_Die type, ByteSpan bytes, std::size_t depth) {
        auto plain = plain_type(type);
        if (!plain) return std::nullopt;
        const int tag = dwarf_tag(&*plain);
        if (tag == DW_TAG_array_type) return step_into_array(*plain, bytes);
        return is_class(tag) ? step_into_class(*plain, bytes, depth) : std::nullopt;
    }

    std::optional<Step> step_into_class(Dwarf_Die& type, ByteSpan bytes, std::size_t depth) {
        Members members = members_at(type, bytes);
        auto& around = members.around;
        if (around.empty() && !members.bit_fields.empty() && !members.others_overlap)
            return step_to_bit_fields(members.bit_fields, bytes);
        if (around.empty()) return members.others_overlap ? std::nullopt : members.unsized;
        if (around.size() == 1 && members.bit_fields.empty()) return around[0];
        if (dwarf_tag(&type) == DW_TAG_union_type) return step_into_union(members, bytes, depth);
        // A member can be in what a base class leaves unused at its end.
        return *std::ranges::max_element(around, {}, [](const Step& step) { return step.bytes.begin; });
    }

    /// The one member that has a number of just these bytes. When several have, or none, nobody can tell
    /// which of them is used.
    std::optional<Step> step_into_union(const Members& members, ByteSpan bytes, std::size_t depth) {
        const Step* found = nullptr;
        if (!members.bit_fields.empty()) return std::nullopt;
        for (const Step& step : members.around) {
            if (is_reserved(step.name) || ++tried_ > kLimits.members) return std::nullopt;
            const Found inner = into(step.type, step.bytes.end, bytes, depth + 1);
            if (inner.member.bytes != bytes || !is_number(inner.type)) continue;
            if (found != nullptr) return std::nullopt;
            found = &step;
        }
        return found == nullptr ? std::nullopt : std::optional(*found);
    }

    static bool is_number(const Dwarf_Die& type) {
        auto plain = plain_type(type);
        return plain && !is_class(dwarf_tag(&*plain)) && dwarf_tag(&*plain) != DW_TAG_array_type;
    }

    std::size_t tried_ = 0; ///< members of unions in unions, of which there can be very many
};

} // namespace

std::uint64_t size_of(Dwarf_Die type) {
    Dwarf_Word size = 0;
    return dwarf_aggregate_size(&type, &size) == 0 ? size : 0;
}

Member member_at(Dwarf_Die type, std::uint64_t size, ByteSpan bytes) {
    return Descent().into(type, size, bytes).member;
}

} // namespace heddle::symbols
