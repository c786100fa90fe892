#include "analysis/stretch_folding.h"

#include "traces/hash.h"
#include "traces/hash_index.h"

#include <cstdint>
#include <vector>

namespace heddle {

namespace {

/// One pass over a stretch. A run of accesses without synchronisation in between is an epoch: within it, what
/// an access pairs up with depends only on which kinds of accesses to the variable came before it.
class Folding {
  public:
    explicit Folding(Stretch& stretch) : stretch_(&stretch), dropped_(stretch.accesses.size()) {}

    void run() {
        auto epoch = stretch_->epochs.begin();
        auto part = stretch_->parts.begin();
        for (std::uint32_t at = 0; at < dropped_.size(); ++at) {
            for (; epoch != stretch_->epochs.end() && *epoch <= at; ++epoch) ++epoch_;
            const bool in_source = part != stretch_->parts.end() && part->access == at;
            if (in_source) ++part;
            look_at(at, in_source);
        }
        drop();
    }

  private:
    /// Accesses that pair up in the same way with what comes later: see TransactionPairs::Slot.
    struct Slot {
        VarId variable;
        ByteRange bytes;
        TransactionPairs::Part part = TransactionPairs::kReads;
        std::uint32_t of_variable = 0; ///< number of its first slot, whose `slots` count
        std::uint32_t slots = 0;       ///< of the variable, met in the epoch
        std::uint32_t slots_epoch = 0; ///< in which `slots` is valid
        std::uint32_t epoch = 0;       ///< in which `last` is valid
        std::uint32_t last = 0;        ///< group of its latest access
    };
    /// Accesses with the same key.
    struct Group {
        AccessKey key;
        std::uint32_t slot = 0;
        std::uint32_t epoch = 0;          ///< in which the rest is valid
        std::uint32_t slots = 0;          ///< of the variable, when an access was last kept for good
        bool followed_other = false;      ///< the one that was kept then
        std::uint32_t latest = kNoTarget; ///< which gives way to the next of the group
    };

    void look_at(std::uint32_t at, bool in_source) {
        Access& access = stretch_->accesses[at];
        const std::uint32_t number = group_of(access);
        Group& group = groups_[number];
        Slot& slot = slots_[group.slot];
        Slot& variable = slots_[slot.of_variable];
        if (variable.slots_epoch != epoch_) {
            variable.slots_epoch = epoch_;
            variable.slots = 0;
        }
        const bool first_of_slot = slot.epoch != epoch_;
        // Once others are left out, this can no longer be seen.
        if (!first_of_slot && slot.last != number) access.follows_other = true;
        if (in_source) {
            // What the source says of it depends on what came between; it stays.
        } else if (group.epoch == epoch_ && group.slots == variable.slots &&
                   (group.followed_other || !access.follows_other)) {
            if (group.latest != kNoTarget) fold(group.latest, access);
            group.latest = at;
        } else {
            group.epoch = epoch_;
            group.slots = variable.slots;
            group.followed_other = access.follows_other;
            group.latest = kNoTarget;
        }
        slot.epoch = epoch_;
        slot.last = number;
        if (first_of_slot) ++variable.slots;
    }

    void fold(std::uint32_t earlier, Access& later) {
        const Access& access = stretch_->accesses[earlier];
        later.count += access.count;
        later.scattered = later.scattered || access.scattered || access.sync != later.sync;
        later.follows_other = later.follows_other || access.follows_other;
        dropped_[earlier] = true;
    }

    [[nodiscard]] std::uint32_t group_of(const Access& access) {
        const std::uint32_t known =
            group_index_.find(access.hash, [&](std::uint32_t row) { return groups_[row].key == access.key; });
        if (known != HashIndex::kAbsent) return known;
        const auto added = static_cast<std::uint32_t>(groups_.size());
        groups_.push_back({.key = access.key, .slot = slot_of(access)});
        group_index_.insert(access.hash, added);
        return added;
    }

    [[nodiscard]] std::uint32_t slot_of(const Access& access) {
        const VarId variable = access.key.variable;
        const ByteRange bytes = access.key.shape.bytes();
        const TransactionPairs::Part part = TransactionPairs::part_of(access.key.shape);
        const std::uint64_t of_variable = hash_mix(variable.value, 0);
        const std::uint64_t hash =
            hash_words(variable.value, std::uint64_t{bytes.offset} << 8U | bytes.size, std::uint64_t{part});
        const std::uint32_t known = slot_index_.find(hash, [&](std::uint32_t row) {
            const Slot& slot = slots_[row];
            return slot.variable == variable && slot.bytes == bytes && slot.part == part;
        });
        if (known != HashIndex::kAbsent) return known;
        const auto added = static_cast<std::uint32_t>(slots_.size());
        std::uint32_t first = variable_index_.find(
            of_variable, [&](std::uint32_t row) { return slots_[row].variable == variable; });
        if (first == HashIndex::kAbsent) {
            first = added;
            variable_index_.insert(of_variable, added);
        }
        slots_.push_back({.variable = variable, .bytes = bytes, .part = part, .of_variable = first});
        slot_index_.insert(hash, added);
        return added;
    }

    /// The numbers of accesses in the rest of the stretch are put right.
    void drop() {
        std::vector<Access>& accesses = stretch_->accesses;
        auto step = stretch_->steps.begin();
        auto epoch = stretch_->epochs.begin();
        auto part = stretch_->parts.begin();
        std::uint32_t kept = 0;
        for (std::uint32_t at = 0; at <= dropped_.size(); ++at) {
            for (; step != stretch_->steps.end() && step->accesses == at; ++step) step->accesses = kept;
            for (; epoch != stretch_->epochs.end() && *epoch == at; ++epoch) *epoch = kept;
            for (; part != stretch_->parts.end() && part->access == at; ++part) part->access = kept;
            if (at < dropped_.size() && !dropped_[at]) accesses[kept++] = accesses[at];
        }
        accesses.resize(kept);
    }

    Stretch* stretch_;
    std::vector<bool> dropped_;
    std::vector<Group> groups_;
    std::vector<Slot> slots_;
    HashIndex group_index_;
    HashIndex slot_index_;
    HashIndex variable_index_; ///< to the first slot of each
    std::uint32_t epoch_ = 1;
};

} // namespace

void fold_repeated_accesses(Stretch& stretch) {
    Folding(stretch).run();
    // So that looking at what stays again and again costs no more than what comes.
    stretch.fold_at = 2 * stretch.accesses.size();
}

} // namespace heddle
