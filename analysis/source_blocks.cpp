#include "analysis/source_blocks.h"

#include <algorithm>
#include <limits>

namespace heddle {

namespace {

/// More pieces around one place than anybody writes; what is beyond is left out.
constexpr std::size_t kMost = std::numeric_limits<std::uint16_t>::max();

} // namespace

void SourceBlocks::add_stack(const Stack& stack) {
    Row& row = rows_.emplace_back();
    row.call = stack.call;
    row.first_role = static_cast<std::uint32_t>(roles_.size());
    row.first_mark = static_cast<std::uint32_t>(marks_.size());
    row.roles = static_cast<std::uint16_t>(std::min(stack.roles.size(), kMost));
    row.marks = static_cast<std::uint16_t>(std::min(stack.marks.size(), kMost));
    roles_.insert(roles_.end(), stack.roles.begin(), stack.roles.begin() + row.roles);
    marks_.insert(marks_.end(), stack.marks.begin(), stack.marks.begin() + row.marks);
}

std::span<const SourceBlocks::Role> SourceBlocks::roles(StackId stack) const {
    if (stack.value >= rows_.size()) return {};
    const Row& row = rows_[stack.value];
    return std::span(roles_).subspan(row.first_role, row.roles);
}

std::span<const SourceBlocks::Mark> SourceBlocks::marks(StackId stack) const {
    if (stack.value >= rows_.size()) return {};
    const Row& row = rows_[stack.value];
    return std::span(marks_).subspan(row.first_mark, row.marks);
}

std::optional<Inference> SourceBlocks::inference(StackId read, StackId write) const {
    if (!has_roles(read) || !has_roles(write) || call_of(read) != call_of(write)) return std::nullopt;
    std::optional<Inference> widest;
    for (const Role& first : roles(read)) {
        if (!first.reads) continue;
        for (const Role& second : roles(write)) {
            if (!second.writes || second.block != first.block) continue;
            const Inference one = inferred_[first.block.value];
            widest = widest ? std::max(*widest, one) : one;
        }
    }
    return widest;
}

} // namespace heddle
