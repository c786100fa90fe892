#include "analysis/transaction_pairs.h"

#include <algorithm>
#include <unordered_set>

namespace heddle {

namespace {

constexpr std::uint32_t kRepeated = 0x8000'0000; ///< beside the number of a pair

std::uint64_t standpoint(ProfileId profile, FutureId future) {
    return std::uint64_t{profile.value} << 32U | future.value;
}

} // namespace

void TransactionPairs::clear() {
    for (std::size_t i = 0; i < pairs_.size(); ++i)
        variables_[(*cells_)[pairs_[i].first_cell].variable.value].newest = kNoTarget;
    pairs_.clear();
    both_write_ = 0;
    index_ = {};
}

void TransactionPairs::add(std::span<const StretchItem> items, std::span<const TransactionBlock> blocks,
                           bool futures) {
    std::size_t block = 0; // the earliest that reaches the item: its start is the least that any has there
    bool active = false;
    EventId start;
    ProfileId profile = LockProfiles::empty();
    for (std::size_t at = 0; at < items.size(); ++at) {
        const StretchItem& item = items[at];
        while (block < blocks.size() && blocks[block].last < item.event) ++block;
        const bool inside = block < blocks.size() && blocks[block].first <= item.event;
        if (inside && (!active || blocks[block].first != start)) {
            start = blocks[block].first;
            enter_context(items.first(at), start, !active, profile, futures);
        }
        active = inside;
        if (item.is_lock()) {
            if (active) lock_step(item, futures);
            profile = item.profile;
        } else if (active) {
            note_access(item);
        }
    }
    settle_pending();
}

void TransactionPairs::enter_context(std::span<const StretchItem> earlier, EventId start, bool fresh,
                                     ProfileId profile, bool futures) {
    ++context_;
    slots_.clear();
    if (fresh) {
        standings_.clear();
        standings_.push_back(
            {profile, futures ? futures_->standing_at(*profiles_, profile) : LockFutures::unknown(), {}});
        return;
    }
    // Blocks that overlap without nesting: what lies in the new one already was seen as part of the old one.
    const auto first = std::ranges::lower_bound(earlier, start, {}, &StretchItem::event);
    for (const StretchItem& item : std::span(first, earlier.end())) {
        if (item.is_lock()) continue;
        Slot& slot = slots_[slot_for(item.target, item.head.bytes())];
        note(slot, writes_memory(item.head.kind()) ? 1 : 0, item, kNoTarget);
    }
}

void TransactionPairs::lock_step(const StretchItem& item, bool futures) {
    ++step_;
    standings_.back().end = item.event;
    FutureId future = LockFutures::unknown();
    if (futures) {
        advance_futures(item);
        future = futures_->standing_at(*profiles_, item.profile);
    }
    std::erase_if(standings_,
                  [&](const Standing& one) { return one.profile == item.profile && one.future == future; });
    standings_.push_back({item.profile, future, {}});
    if (standings_.size() > std::max<std::size_t>(max_places_, 2)) merge_oldest_standings();
}

void TransactionPairs::merge_oldest_standings() {
    const std::size_t merged = standings_.size() / 2 + 1;
    Standing weakest = standings_[merged - 1];
    for (std::size_t at = 0; at + 1 < merged; ++at) {
        weakest.profile = profiles_->common(weakest.profile, standings_[at].profile);
    }
    weakest.future = LockFutures::unknown();
    weakest.exact = false;
    standings_.erase(standings_.begin(), standings_.begin() + static_cast<std::ptrdiff_t>(merged));
    standings_.insert(standings_.begin(), weakest);
}

void TransactionPairs::advance_futures(const StretchItem& item) {
    std::unordered_set<std::uint64_t> seen;
    std::vector<Standing> kept;
    for (std::size_t at = standings_.size(); at-- > 0;) {
        Standing one = standings_[at];
        if (one.exact)
            one.future =
                futures_->after(profiles_->histories(), one.future, item.head.kind(), LockId{item.target});
        if (seen.insert(standpoint(one.profile, one.future)).second) kept.push_back(one);
    }
    standings_.assign(kept.rbegin(), kept.rend());
}

std::uint32_t TransactionPairs::slot_for(std::uint32_t variable, ByteRange bytes) {
    if (variable >= variables_.size())
        variables_.resize(std::max<std::size_t>(variable + 1, 2 * variables_.size()));
    Variable& known = variables_[variable];
    if (known.context != context_) {
        known.context = context_;
        known.slots = kNoTarget;
    }
    for (std::uint32_t at = known.slots; at != kNoTarget; at = slots_[at].next) {
        if (slots_[at].bytes == bytes) return at;
    }
    slots_.push_back({.bytes = bytes, .next = known.slots, .first = {}, .last = {}});
    known.slots = static_cast<std::uint32_t>(slots_.size() - 1);
    return known.slots;
}

void TransactionPairs::note(Slot& slot, std::size_t kind, const StretchItem& item, std::uint32_t step) {
    if (!slot.first[kind].valid()) {
        slot.first[kind] = item.event;
        slot.first_cell[kind] = item.cell;
    }
    slot.last[kind] = item.event;
    slot.last_cell[kind] = item.cell;
    slot.last_step[kind] = step;
}

void TransactionPairs::note_access(const StretchItem& item) {
    Slot& slot = slots_[slot_for(item.target, item.head.bytes())];
    const std::size_t kind = writes_memory(item.head.kind()) ? 1 : 0;
    const EventId last = slot.last[kind];
    const bool repeats = last.valid() && cells_->spot_of(slot.last_cell[kind]) == cells_->spot_of(item.cell);
    for (std::uint32_t at = variables_[item.target].slots; at != kNoTarget; at = slots_[at].next) {
        for (const std::size_t first_kind : {0U, 1U}) {
            const EventId first = slots_[at].first[first_kind];
            if (!first.valid()) continue;
            // What came before the last access like this one was noted there, with a shorter way to go.
            const bool known = repeats && last > first;
            if (known && slot.last_step[kind] == step_) continue;
            const EventId since = known ? last : first;
            for (auto one = standings_.rbegin(); one != standings_.rend() && one->end > since; ++one) {
                pending_.push_back({slots_[at].first_cell[first_kind], item.cell, first, item.event,
                                    one->profile, one->future, kNoTarget, 0, false, one->exact});
            }
        }
    }
    note(slot, kind, item, step_);
}

/// Most pairs are known already. All are looked up at once, so that the memory of one lookup is on its way
/// while another is made.
void TransactionPairs::settle_pending() {
    keys_.clear();
    for (const TransactionPair& pair : pending_) {
        keys_.push_back(key_of(pair));
        index_.prefetch(keys_.back());
    }
    for (std::size_t i = 0; i < pending_.size(); ++i) {
        const auto number = static_cast<std::uint32_t>(pairs_.size());
        std::uint32_t& known = index_.find_or_insert(keys_[i], number);
        if (known != number) {
            // Noted beside the number, so that this looks at the pair only once.
            if ((known & kRepeated) == 0) pairs_[known].repeated = true;
            known |= kRepeated;
            continue;
        }
        const AccessCell& first = (*cells_)[pending_[i].first_cell];
        std::uint32_t& newest = variables_[first.variable.value].newest;
        both_write_ += first.shape.writes() && (*cells_)[pending_[i].second_cell].shape.writes() ? 1U : 0U;
        pairs_.push_back(pending_[i]);
        pairs_.back().next = newest;
        pairs_.back().cells_before = static_cast<std::uint32_t>(cells_->size());
        newest = number;
    }
    pending_.clear();
}

GrowingMap::Key TransactionPairs::key_of(const TransactionPair& pair) {
    const std::uint32_t first = cells_->spot_of(pair.first_cell).value;
    const std::uint32_t second = cells_->spot_of(pair.second_cell).value;
    if (pair.future == LockFutures::unknown()) return {first, second, pair.profile.value << 1U};
    const GrowingMap::Key key{pair.profile.value, pair.future.value};
    std::uint32_t number = standpoints_.find(key);
    if (number == GrowingMap::kAbsent) {
        number = static_cast<std::uint32_t>(standpoints_.size());
        standpoints_.insert(key, number);
    }
    return {first, second, number << 1U | 1U};
}

} // namespace heddle
