#include "analysis/source/position_map.h"

#include <algorithm>
#include <cstddef>

namespace heddle::source {

namespace {

/// How many bytes the beginnings, or the ends, of two texts have in common.
std::uint32_t common_prefix(std::string_view a, std::string_view b) {
    const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    return static_cast<std::uint32_t>(in_a - a.begin());
}
std::uint32_t common_suffix(std::string_view a, std::string_view b) {
    const auto [in_a, in_b] = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
    return static_cast<std::uint32_t>(in_a - a.rbegin());
}

} // namespace

PositionMap::Now PositionMap::now(std::uint32_t byte) const {
    const auto after = std::ranges::upper_bound(replaced_, byte, {}, &Replaced::old_first);
    if (after == replaced_.begin()) return {byte, true};
    const Replaced& before = *std::prev(after);
    if (byte < before.old_end) return {before.new_first, false};
    return {byte - before.old_end + before.new_end, true};
}

bool PositionMap::changed(ByteRange range) const {
    return std::ranges::any_of(replaced_, [&](const Replaced& one) {
        // What was put in right before or after the range is not in it.
        return one.old_first < range.end && one.old_end > range.first;
    });
}

void PositionMap::edit(const TextEdit& edit) {
    const auto first = std::ranges::lower_bound(replaced_, edit.start, {}, &Replaced::new_end);
    const auto end = std::find_if(first, replaced_.end(),
                                  [&](const Replaced& one) { return one.new_first > edit.old_end; });
    // In front of `first` nothing that matters was replaced, so the distance to its old place is known; the
    // same holds behind `end`.
    const auto distance = [&](std::vector<Replaced>::const_iterator at) {
        return at == replaced_.begin()
                   ? std::int64_t{0}
                   : std::int64_t{std::prev(at)->old_end} - std::int64_t{std::prev(at)->new_end};
    };
    Replaced merged{.old_first = static_cast<std::uint32_t>(edit.start + distance(first)),
                    .old_end = static_cast<std::uint32_t>(edit.old_end + distance(end)),
                    .new_first = edit.start,
                    .new_end = edit.new_end};
    const auto grown = std::int64_t{edit.new_end} - std::int64_t{edit.old_end};
    if (first != end) {
        const Replaced& last = *std::prev(end);
        if (first->new_first < merged.new_first) {
            merged.new_first = first->new_first;
            merged.old_first = first->old_first;
        }
        if (last.new_end > edit.old_end) {
            merged.new_end = static_cast<std::uint32_t>(last.new_end + grown);
            merged.old_end = last.old_end;
        }
    }
    for (auto at = end; at != replaced_.end(); ++at) {
        at->new_first = static_cast<std::uint32_t>(at->new_first + grown);
        at->new_end = static_cast<std::uint32_t>(at->new_end + grown);
    }
    const auto at = replaced_.erase(first, end);
    if (merged.old_first != merged.old_end || merged.new_first != merged.new_end)
        replaced_.insert(at, merged);
}

void PositionMap::forget_undone(std::string_view first_text, std::string_view later_text) {
    for (Replaced& one : replaced_) {
        const auto was = [&] { return first_text.substr(one.old_first, one.old_end - one.old_first); };
        const auto is = [&] { return later_text.substr(one.new_first, one.new_end - one.new_first); };
        const std::uint32_t prefix = common_prefix(was(), is());
        one.old_first += prefix;
        one.new_first += prefix;
        const std::uint32_t suffix = common_suffix(was(), is());
        one.old_end -= suffix;
        one.new_end -= suffix;
    }
    std::erase_if(replaced_, [](const Replaced& one) {
        return one.old_first == one.old_end && one.new_first == one.new_end;
    });
}

} // namespace heddle::source
