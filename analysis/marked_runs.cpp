#include "analysis/marked_runs.h"

#include <algorithm>

namespace heddle {

namespace {

constexpr std::size_t kMaxOnce =
    256; ///< of one call; a piece with more statements may run on into the next call

} // namespace

bool MarkedRuns::goes_on(const Open& open, const SourceBlocks::Mark& mark, const Once& event) {
    if (mark.call != open.at.call || mark.step < open.at.step) return false;
    if (mark.in_loop) return true;
    // What a function called from here does, it may do in a loop of its own.
    const auto end = mark.itself ? open.once.end() : open.once.begin() + 1;
    return std::find(open.once.begin(), end, event) == end;
}

void MarkedRuns::step(const EventView& event, const SourceBlocks& blocks,
                      std::vector<TransactionBlock>& closed) {
    const std::span<const SourceBlocks::Mark> marks =
        event.stack().valid() ? blocks.marks(event.stack()) : std::span<const SourceBlocks::Mark>();
    if (marks.empty() && open_.empty()) return;
    std::erase_if(open_, [&](const Open& open) {
        const bool inside = std::ranges::any_of(
            marks, [&](const SourceBlocks::Mark& mark) { return mark.block == open.at.block; });
        if (!inside) close(open, closed);
        return !inside;
    });
    const Once now{event.stack(), event.kind()};
    for (const SourceBlocks::Mark& mark : marks) {
        auto known =
            std::ranges::find_if(open_, [&](const Open& open) { return open.at.block == mark.block; });
        if (known == open_.end()) {
            open_.push_back({mark, event.id(), event.id(), {now}});
            continue;
        }
        if (!goes_on(*known, mark, now)) {
            close(*known, closed);
            *known = {mark, event.id(), event.id(), {now}};
            continue;
        }
        known->at = mark;
        known->last = event.id();
        if (mark.itself && !mark.in_loop && known->once.size() < kMaxOnce) known->once.push_back(now);
    }
}

void MarkedRuns::finish(std::vector<TransactionBlock>& closed) {
    for (const Open& open : open_) close(open, closed);
    open_.clear();
}

} // namespace heddle
