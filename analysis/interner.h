// Sequences of small plain rows, each kept once and named by a 32-bit number. One hash lookup per sequence.
#pragma once

#include "traces/hash.h"
#include "traces/hash_index.h"
#include "traces/raw_memory.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace heddle {

/// Rows are compared and hashed by their bytes: they must have no padding.
template<typename Row>
class Interner {
    static_assert(std::has_unique_object_representations_v<Row>);

  public:
    [[nodiscard]] std::uint32_t intern(std::span<const Row> rows) {
        const std::uint64_t hash = hash_mix(hash_bytes(rows.data(), rows.size_bytes()), rows.size());
        const std::uint32_t known =
            index_.find(hash, [&](std::uint32_t row) { return std::ranges::equal((*this)[row], rows); });
        if (known != HashIndex::kAbsent) return known;
        const auto added = static_cast<std::uint32_t>(size());
        rows_.insert(rows_.end(), rows.begin(), rows.end());
        ends_.push_back(rows_.size());
        index_.insert(hash, added);
        return added;
    }
    /// Valid until the next intern().
    [[nodiscard]] std::span<const Row> operator[](std::uint32_t id) const {
        const std::size_t first = id == 0 ? 0 : ends_[id - 1];
        return {rows_.data() + first, ends_[id] - first};
    }
    [[nodiscard]] std::size_t size() const { return ends_.size(); }

  private:
    std::vector<Row> rows_;
    std::vector<std::size_t> ends_;
    HashIndex index_;
};

/// A hash map from keys of 96 bits to 32-bit values that only grows. The whole key lies in the slot: a lookup
/// touches one cache line as a rule.
class GrowingMap {
  public:
    static constexpr std::uint32_t kAbsent = HashIndex::kAbsent;

    struct Key {
        std::uint64_t main = 0;
        std::uint32_t extra = 0;

        Key(std::uint64_t only) : main(only) {} // NOLINT(google-explicit-constructor): a key of 64 bits
        Key(std::uint32_t high, std::uint32_t low, std::uint32_t rest = 0)
            : main(std::uint64_t{high} << 32U | low), extra(rest) {}
        bool operator==(const Key&) const = default;
    };

    [[nodiscard]] std::uint32_t find(Key key) const {
        if (slots_.empty()) return kAbsent;
        for (std::size_t at = start(key);; at = (at + 1) & mask()) {
            const Slot& slot = slots_[at];
            if (slot.value == kAbsent || (slot.main == key.main && slot.extra == key.extra))
                return slot.value;
        }
    }
    /// The key must be new, the value not kAbsent.
    void insert(Key key, std::uint32_t value) {
        if ((count_ + 1) * 2 > slots_.size()) grow();
        place({key.main, key.extra, value});
        ++count_;
    }
    /// The value of a key, which is `value` if the key is new. Valid until the next insertion.
    std::uint32_t& find_or_insert(Key key, std::uint32_t value) {
        if ((count_ + 1) * 2 > slots_.size()) grow();
        for (std::size_t at = start(key);; at = (at + 1) & mask()) {
            Slot& slot = slots_[at];
            if (slot.value == kAbsent) {
                slot = {key.main, key.extra, value};
                ++count_;
                return slot.value;
            }
            if (slot.main == key.main && slot.extra == key.extra) return slot.value;
        }
    }
    /// Fetches what a lookup will look at first.
    [[gnu::always_inline]] inline void prefetch(Key key) const {
        if (!slots_.empty()) __builtin_prefetch(&slots_[start(key)]);
    }
    [[nodiscard]] std::size_t size() const { return count_; }

  private:
    struct Slot {
        std::uint64_t main = 0;
        std::uint32_t extra = 0;
        std::uint32_t value = kAbsent;
    };
    [[nodiscard]] std::size_t mask() const { return slots_.size() - 1; }
    [[nodiscard]] std::size_t start(Key key) const { return hash_mix(key.extra, key.main) & mask(); }
    void place(const Slot& slot) {
        std::size_t at = hash_mix(slot.extra, slot.main) & mask();
        while (slots_[at].value != kAbsent) at = (at + 1) & mask();
        slots_[at] = slot;
    }
    void grow() {
        LargeVector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.value != kAbsent) place(slot);
        }
    }

    LargeVector<Slot> slots_;
    std::size_t count_ = 0;
};

} // namespace heddle
