// Where a thread may stand between two accesses of one transaction: the sets WW and AA of seed 001, section
// 4, one element for each lock profile and pair of accesses alike.
//
// Deviations from the paper: all profiles between the two accesses are witnesses, so that a stretch costs
// O(accesses × D + lock events × (D + locks held)), D being the distinct profiles within one transaction
// (usually 1 to 3), not O(events). D is capped: beyond, the profiles left longest ago give way to one that is
// weaker than all of them. Ranges of bytes are kept apart, and so are the kinds of both accesses, to tell the
// patterns apart.
#pragma once

#include "analysis/access_cells.h"
#include "analysis/interner.h"
#include "analysis/lock_futures.h"
#include "analysis/lock_profiles.h"
#include "analysis/transactions.h"
#include "traces/append_vector.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace heddle {

struct LockStep {
    EventId event;
    LockId lock;
    ProfileId profile; ///< after it
    EventKind kind = EventKind::acquire;
    std::uint32_t accesses = 0; ///< of the stretch, before it
};

/// What a thread does while transactions may be open.
struct Stretch {
    std::vector<Access> accesses;
    std::vector<LockStep> steps;
    std::vector<TransactionBlock> blocks; ///< all that touch it
    /// Accesses that play parts in pieces of source (source_blocks.h), by their number.
    struct Part {
        std::uint32_t access = 0;
        StackId stack;
    };
    std::vector<Part> parts;
    /// How many accesses there were at each synchronisation event, where blocks may begin and end.
    std::vector<std::uint32_t> epochs;
    std::size_t fold_at = 0;       ///< how many accesses call for folding (stretch_folding.h)
    bool marked_in_source = false; ///< some of the blocks

    void clear() {
        accesses.clear();
        steps.clear();
        blocks.clear();
        parts.clear();
        epochs.clear();
        fold_at = 0;
        marked_in_source = false;
    }
};

/// A place between two accesses of one transaction: an element of AA, and of WW if both write.
struct TransactionPair {
    CellId first_cell;
    CellId second_cell;
    EventId first;
    EventId second;
    ProfileId profile;              ///< at the place
    FutureId future;                ///< from there to the second access
    std::uint32_t next = kNoTarget; ///< an older pair of the variable
    std::uint32_t cells_before = 0; ///< how many cells there were when it was found
    bool repeated = false;          ///< it stands for other events, too
    bool exact = true;              ///< the thread can stand at the profile; it is not weaker
    bool in_source = false;         ///< only a block that is marked in the source makes it one
};

inline constexpr std::size_t kMaxPlaces = 32; ///< distinct profiles of one transaction

class TransactionPairs {
  public:
    /// The cells are those that the items of stretches name. All must outlive this object.
    TransactionPairs(LockProfiles& profiles, LockFutures& futures, AccessCells& cells, std::size_t max_places)
        : profiles_(&profiles), futures_(&futures), cells_(&cells), max_places_(max_places) {}

    /// A stretch of one thread whose accesses have their cells, its blocks by their first events. `futures`:
    /// tell the witnesses of this thread apart by them. `more`: asked now and then with how many accesses
    /// were looked at; false leaves out the rest.
    using More = std::function<bool(std::size_t accesses)>;
    void add(const Stretch& stretch, bool futures, const More& more = {});
    /// Makes what was added part of all().
    void settle();

    [[nodiscard]] const GrowingTable<TransactionPair>& all() const { return pairs_; }
    /// In how many of them both accesses write.
    [[nodiscard]] std::size_t both_write() const { return both_write_; }
    /// Number of the newest pair of a variable, from which `next` leads to the others; kNoTarget: it has
    /// none.
    [[nodiscard]] std::uint32_t newest(VarId variable) const {
        return variable.value < variables_.size() ? variables_[variable.value].newest : kNoTarget;
    }
    void clear();

    /// Accesses that make the same patterns. Updates are read-modify-writes: three of them make none.
    enum Part : std::uint8_t { kReads, kWrites, kUpdates, kParts };
    [[nodiscard]] static Part part_of(AccessShape shape) {
        if (shape.kind() == EventKind::atomic_rmw) return kUpdates;
        return shape.writes() ? kWrites : kReads;
    }

  private:
    /// A profile met in the transaction, at latest in the lock-free stretch that ended at `end`.
    struct Standing {
        ProfileId profile;
        FutureId future;
        EventId end; ///< invalid, which is later than all: it goes on
        bool exact = true;
    };
    /// The accesses of one transaction to one range of bytes of a variable. Indexed by part.
    struct Slot {
        ByteRange bytes;
        std::uint32_t next = kNoTarget; ///< another range of the same variable
        std::array<EventId, kParts> first;
        std::array<EventId, kParts> last;
        std::array<CellId, kParts> first_cell;
        std::array<CellId, kParts> last_cell;
        std::array<std::uint32_t, kParts> last_step{};
    };
    struct Variable {
        std::uint32_t context = 0; ///< number of the transaction in which `slots` is valid
        std::uint32_t slots = kNoTarget;
        std::uint32_t newest = kNoTarget;
    };

    void add(const Stretch& stretch, std::span<const TransactionBlock> blocks, bool futures,
             const More& more);
    void send_for_pending();
    void enter_context(std::span<const Access> earlier, EventId start, bool fresh, ProfileId profile,
                       bool futures);
    void take(const LockStep& step, bool futures);
    void merge_oldest_standings();
    void advance_futures(const LockStep& step);
    [[nodiscard]] std::uint32_t slot_for(VarId variable, ByteRange bytes);
    static void note(Slot& slot, const Access& access, std::uint32_t step);
    void take(const Access& access);
    [[nodiscard]] GrowingMap::Key key_of(const TransactionPair& pair);

    LockProfiles* profiles_;
    LockFutures* futures_;
    AccessCells* cells_;
    std::size_t max_places_;
    GrowingTable<TransactionPair> pairs_;
    std::size_t both_write_ = 0;
    GrowingMap index_;       ///< of pairs_, by spots and standpoint
    GrowingMap standpoints_; ///< profile and future → number

    /// Pairs that wait for the memory of their lookups, most of them known already.
    std::vector<TransactionPair> pending_;
    std::vector<GrowingMap::Key> keys_; ///< of pending_

    // Of the stretch at hand.
    std::vector<Variable> variables_;
    std::vector<Slot> slots_;
    std::vector<Standing> standings_; ///< distinct, the latest last
    std::uint32_t context_ = 0;
    std::uint32_t step_ = 0; ///< lock events so far
    bool in_source_ = false; ///< the blocks at hand are marked there
};

} // namespace heddle
