#include "analysis/inferred_pairs.h"

#include <algorithm>

namespace heddle {

namespace {

constexpr std::size_t kMaxTurns = 64; ///< lock events between two accesses

} // namespace

void PendingReads::add(SourceBlockId block, const Read& read) {
    Ring& ring = rings_[block.value];
    // A loop's condition reads the same again and again: that takes one place.
    for (Read& known : ring.reads) {
        if (known.event.valid() && known.variable == read.variable && known.bytes == read.bytes &&
            known.call == read.call) {
            known = read;
            return;
        }
    }
    ring.reads[ring.next++ % kKept] = read;
}

std::optional<PendingReads::Read> PendingReads::take(SourceBlockId block, VarId variable, ByteRange bytes,
                                                     StackId call) {
    const auto ring = rings_.find(block.value);
    if (ring == rings_.end()) return std::nullopt;
    Read* latest = nullptr;
    for (Read& read : ring->second.reads) {
        if (!read.event.valid() || read.variable != variable || read.call != call ||
            !read.bytes.overlaps(bytes))
            continue;
        if (latest == nullptr || latest->event < read.event) latest = &read;
    }
    if (latest == nullptr) return std::nullopt;
    const Read result = *latest;
    latest->event = {};
    return result;
}

void InferredPairs::take(const SourceBlocks& blocks, StackId stack, const Access& access, CellId cell,
                         PendingReads& pending, std::span<const ProfileTurn> turns, std::size_t cells) {
    const StackId call = blocks.call_of(stack);
    const VarId variable = access.key.variable;
    const ByteRange bytes = access.key.shape.bytes();
    if (access.key.shape.writes()) {
        for (const SourceBlocks::Role& role : blocks.roles(stack)) {
            if (!role.writes) continue;
            if (const auto read = pending.take(role.block, variable, bytes, call))
                add(*read, access, cell, turns, cells);
        }
    }
    if (!reads_memory(access.key.shape.kind())) return;
    for (const SourceBlocks::Role& role : blocks.roles(stack)) {
        // What reads and writes at once has updated already: it does not wait for a write.
        if (role.reads && !(role.writes && access.key.shape.writes()))
            pending.add(role.block, {access.event, variable, bytes, call, cell, access.key.profile});
    }
}

void InferredPairs::add(const PendingReads::Read& first, const Access& second, CellId cell,
                        std::span<const ProfileTurn> turns, std::size_t cells) {
    const auto event_of = [](const ProfileTurn& turn) { return turn.event; };
    const auto from = std::ranges::upper_bound(turns, first.event, {}, event_of);
    const auto to = std::ranges::lower_bound(from, turns.end(), second.event, {}, event_of);
    if (static_cast<std::size_t>(to - from) > kMaxTurns) {
        add_at(first, second, cell, LockProfiles::empty(), false, cells);
        return;
    }
    seen_.assign(1, first.profile);
    for (auto turn = from; turn != to; ++turn) {
        if (std::ranges::find(seen_, turn->profile) == seen_.end()) seen_.push_back(turn->profile);
    }
    for (const ProfileId profile : seen_) add_at(first, second, cell, profile, true, cells);
}

void InferredPairs::add_at(const PendingReads::Read& first, const Access& second, CellId cell,
                           ProfileId profile, bool exact, std::size_t cells) {
    const auto number = static_cast<std::uint32_t>(pairs_.size());
    const std::uint32_t known = index_.find_or_insert({first.cell.value, cell.value, profile.value}, number);
    if (known != number) {
        pairs_[known].repeated = true;
        return;
    }
    const std::uint32_t variable = second.key.variable.value;
    if (variable >= newest_.size())
        newest_.resize(std::max<std::size_t>(variable + std::size_t{1}, 2 * newest_.size()), kNoTarget);
    TransactionPair pair;
    pair.first_cell = first.cell;
    pair.second_cell = cell;
    pair.first = first.event;
    pair.second = second.event;
    pair.profile = profile;
    pair.future = LockFutures::unknown();
    pair.next = newest_[variable];
    pair.cells_before = static_cast<std::uint32_t>(cells);
    pair.exact = exact;
    pairs_.push_back(pair);
    newest_[variable] = number;
}

} // namespace heddle
