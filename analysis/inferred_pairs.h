// Pairs of accesses that belong together as far as the source shows (source_blocks.h): a read and the next
// write of the same bytes that the same piece of source makes, by one thread in one call. Like
// TransactionPairs, an element for each lock profile that the thread may stand at between the two.
//
// O(1 + lock events in between) for each access that plays a part in a piece; none for the others. How many
// lock events are looked at is capped: beyond, one profile that is weaker than all of them stands for them.
#pragma once

#include "analysis/access_cells.h"
#include "analysis/interner.h"
#include "analysis/source_blocks.h"
#include "analysis/transaction_pairs.h"
#include "traces/append_vector.h"

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle {

/// From `event` on, a thread is at the profile.
struct ProfileTurn {
    EventId event;
    ProfileId profile;
};

/// The reads of one thread that may still be followed by a write of their piece.
class PendingReads {
  public:
    struct Read {
        EventId event; ///< invalid: none
        VarId variable;
        ByteRange bytes;
        StackId call;
        CellId cell; ///< as in CellLookup
        ProfileId profile;
    };

    /// The latest of a piece are kept, a few of them: a condition may look at several variables.
    void add(SourceBlockId block, const Read& read);
    /// The latest read of these bytes in the call, which is then used up.
    [[nodiscard]] std::optional<Read> take(SourceBlockId block, VarId variable, ByteRange bytes,
                                           StackId call);

  private:
    static constexpr std::size_t kKept = 4;
    struct Ring {
        std::array<Read, kKept> reads;
        std::uint32_t next = 0;
    };
    std::unordered_map<std::uint32_t, Ring> rings_; ///< by block
};

class InferredPairs {
  public:
    /// An access that plays parts in pieces of source, in the order of its thread. `cell`: as in CellLookup.
    /// `turns`: of the thread, up to here at least. `cells`: how many cells there were in the set with this
    /// access.
    void take(const SourceBlocks& blocks, StackId stack, const Access& access, CellId cell,
              PendingReads& pending, std::span<const ProfileTurn> turns, std::size_t cells);

    /// Their cells are as in CellLookup.
    [[nodiscard]] const GrowingTable<TransactionPair>& all() const { return pairs_; }
    /// As in TransactionPairs.
    [[nodiscard]] std::uint32_t newest(VarId variable) const {
        return variable.value < newest_.size() ? newest_[variable.value] : kNoTarget;
    }
    void clear() { *this = {}; }

  private:
    void add(const PendingReads::Read& first, const Access& second, CellId cell,
             std::span<const ProfileTurn> turns, std::size_t cells);
    void add_at(const PendingReads::Read& first, const Access& second, CellId cell, ProfileId profile,
                bool exact, std::size_t cells);

    GrowingTable<TransactionPair> pairs_;
    GrowingMap index_; ///< of pairs_, by cells and profile
    std::vector<std::uint32_t> newest_;
    std::vector<ProfileId> seen_; ///< between the accesses at hand
};

} // namespace heddle
