#include "analysis/transaction_pairs.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace heddle {

namespace {

constexpr std::uint32_t kRepeated = 0x8000'0000; ///< beside the number of a pair
/// Enough lookups under way at once to hide what each of them waits for.
constexpr std::size_t kPendingBatch = 64;
/// One long stretch does not keep more of them.
constexpr std::size_t kMostPending = std::size_t{1} << 12U;
constexpr std::size_t kAskEvery = std::size_t{1} << 16U;

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

void TransactionPairs::add(const Stretch& stretch, bool futures, const More& more) {
    if (!stretch.marked_in_source) return add(stretch, stretch.blocks, futures, more);
    // What the run shows and what somebody wrote into the source are told apart.
    std::vector<TransactionBlock> blocks = stretch.blocks;
    const auto marked = std::ranges::stable_partition(blocks, [](const TransactionBlock& block) {
        return block.origin != TransactionOrigin::marked_in_source;
    });
    add(stretch, {blocks.begin(), marked.begin()}, futures, more);
    in_source_ = true;
    add(stretch, marked, futures, more);
    in_source_ = false;
}

void TransactionPairs::add(const Stretch& stretch, std::span<const TransactionBlock> blocks, bool futures,
                           const More& more) {
    const std::span<const Access> accesses = stretch.accesses;
    std::size_t block = 0; // the earliest that reaches an event: its start is the least that any has there
    bool active = false;
    EventId start;
    ProfileId profile = LockProfiles::empty();
    const auto reach = [&](EventId event, std::size_t before) {
        while (block < blocks.size() && blocks[block].last < event) ++block;
        const bool inside = block < blocks.size() && blocks[block].first <= event;
        if (inside && (!active || blocks[block].first != start)) {
            start = blocks[block].first;
            enter_context(accesses.first(before), start, !active, profile, futures);
        }
        active = inside;
    };
    std::size_t at = 0;
    const auto take_accesses = [&](std::size_t end) {
        for (; at < end; ++at) {
            if (at % kAskEvery == 0 && more && !more(at)) return false;
            reach(accesses[at].event, at);
            if (active) take(accesses[at]);
            if (pending_.size() < kMostPending) continue;
            send_for_pending();
            settle();
        }
        return true;
    };
    bool whole = true;
    for (const LockStep& step : stretch.steps) {
        whole = take_accesses(step.accesses);
        if (!whole) break;
        reach(step.event, at);
        if (active) take(step, futures);
        profile = step.profile;
    }
    if (whole) static_cast<void>(take_accesses(accesses.size()));
    send_for_pending();
    if (pending_.size() >= kPendingBatch) settle();
}

void TransactionPairs::send_for_pending() {
    for (std::size_t one = keys_.size(); one < pending_.size(); ++one) {
        pending_[one].cells_before = static_cast<std::uint32_t>(cells_->size());
        keys_.push_back(key_of(pending_[one]));
        index_.prefetch(keys_.back());
    }
}

void TransactionPairs::enter_context(std::span<const Access> earlier, EventId start, bool fresh,
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
    const auto first = std::ranges::lower_bound(earlier, start, {}, &Access::event);
    for (const Access& access : std::span(first, earlier.end()))
        note(slots_[slot_for(access.key.variable, access.key.shape.bytes())], access, kNoTarget);
}

void TransactionPairs::take(const LockStep& step, bool futures) {
    ++step_;
    standings_.back().end = step.event;
    FutureId future = LockFutures::unknown();
    if (futures) {
        advance_futures(step);
        future = futures_->standing_at(*profiles_, step.profile);
    }
    std::erase_if(standings_,
                  [&](const Standing& one) { return one.profile == step.profile && one.future == future; });
    standings_.push_back({step.profile, future, {}});
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

void TransactionPairs::advance_futures(const LockStep& step) {
    std::unordered_set<std::uint64_t> seen;
    std::vector<Standing> kept;
    for (std::size_t at = standings_.size(); at-- > 0;) {
        Standing one = standings_[at];
        if (one.exact) one.future = futures_->after(profiles_->histories(), one.future, step.kind, step.lock);
        if (seen.insert(standpoint(one.profile, one.future)).second) kept.push_back(one);
    }
    standings_.assign(kept.rbegin(), kept.rend());
}

std::uint32_t TransactionPairs::slot_for(VarId variable, ByteRange bytes) {
    if (variable.value >= variables_.size())
        variables_.resize(std::max<std::size_t>(variable.value + std::size_t{1}, 2 * variables_.size()));
    Variable& known = variables_[variable.value];
    if (known.context != context_) {
        known.context = context_;
        known.slots = kNoTarget;
    }
    for (std::uint32_t at = known.slots; at != kNoTarget; at = slots_[at].next) {
        if (slots_[at].bytes == bytes) return at;
    }
    Slot& slot = slots_.emplace_back();
    slot.bytes = bytes;
    slot.next = std::exchange(known.slots, static_cast<std::uint32_t>(slots_.size() - 1));
    return known.slots;
}

void TransactionPairs::note(Slot& slot, const Access& access, std::uint32_t step) {
    const Part part = part_of(access.key.shape);
    if (!slot.first[part].valid()) {
        slot.first[part] = access.event;
        slot.first_cell[part] = access.cell;
    }
    slot.last[part] = access.event;
    slot.last_cell[part] = access.cell;
    slot.last_step[part] = step;
}

void TransactionPairs::take(const Access& access) {
    Slot& slot = slots_[slot_for(access.key.variable, access.key.shape.bytes())];
    const Part part = part_of(access.key.shape);
    const EventId last = slot.last[part];
    const bool repeats = last.valid() && !access.follows_other &&
                         cells_->spot_of(slot.last_cell[part]) == cells_->spot_of(access.cell);
    for (std::uint32_t at = variables_[access.key.variable.value].slots; at != kNoTarget;
         at = slots_[at].next) {
        const auto& firsts = slots_[at].first;
        for (const Part first_part : {kReads, kWrites, kUpdates}) {
            const EventId first = firsts[first_part];
            if (!first.valid()) continue;
            // Whether the first one is an update matters to an update only: else the earlier write will do.
            const bool write = part != kUpdates && first_part != kReads;
            if (write && std::min(firsts[kWrites], firsts[kUpdates]) < first) continue;
            // What came before the last access like this one was noted there, with a shorter way to go.
            const bool known = repeats && last > first;
            if (known && slot.last_step[part] == step_) continue;
            const EventId since = known ? last : first;
            for (auto one = standings_.rbegin(); one != standings_.rend() && one->end > since; ++one) {
                pending_.push_back({slots_[at].first_cell[first_part], access.cell, first, access.event,
                                    one->profile, one->future, kNoTarget, 0, false, one->exact, in_source_});
            }
        }
    }
    note(slot, access, step_);
}

/// Most pairs are known already.
void TransactionPairs::settle() {
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
        newest = number;
    }
    pending_.clear();
    keys_.clear();
}

GrowingMap::Key TransactionPairs::key_of(const TransactionPair& pair) {
    const std::uint32_t first = cells_->spot_of(pair.first_cell).value;
    const std::uint32_t second = cells_->spot_of(pair.second_cell).value;
    const std::uint32_t in_source = pair.in_source ? 2U : 0U;
    if (pair.future == LockFutures::unknown()) return {first, second, pair.profile.value << 2U | in_source};
    const GrowingMap::Key key{pair.profile.value, pair.future.value};
    std::uint32_t number = standpoints_.find(key);
    if (number == GrowingMap::kAbsent) {
        number = static_cast<std::uint32_t>(standpoints_.size());
        standpoints_.insert(key, number);
    }
    return {first, second, number << 2U | in_source | 1U};
}

} // namespace heddle
