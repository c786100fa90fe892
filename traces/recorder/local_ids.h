// The numbers that things have within one chunk: tables from process-wide keys to small numbers that are
// emptied, not shrunk, for the next chunk.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::recorder {

class LocalIds {
  public:
    static constexpr std::uint32_t kAbsent = 0xFFFF'FFFF;

    void clear() {
        count_ = 0;
        ++generation_;
    }

    /// Where the number of `key` is kept: kAbsent if it has none, and then the caller must give it one before
    /// the next call.
    [[nodiscard]] std::uint32_t& operator[](std::uint64_t key) {
        if ((count_ + 1) * 2 > slots_.size()) grow();
        Slot& slot = find(key);
        if (slot.generation != generation_) {
            slot = {key, kAbsent, generation_};
            ++count_;
        }
        return slot.number;
    }

  private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t number = kAbsent;
        std::uint32_t generation = 0;
    };

    [[nodiscard]] Slot& find(std::uint64_t key) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = (key * 0x9E37'79B9'7F4A'7C15U >> 32U) & mask;
        while (slots_[at].generation == generation_ && slots_[at].key != key) at = (at + 1) & mask;
        return slots_[at];
    }

    void grow() {
        std::vector<Slot> old(slots_.empty() ? 256 : slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.generation == generation_) find(slot.key) = slot;
        }
    }

    std::vector<Slot> slots_;
    std::size_t count_ = 0;
    std::uint32_t generation_ = 1;
};

/// For keys that are given out one after the other, such as identities: found by their low bits, so that what
/// was made together stands together.
class DenseIds {
  public:
    static constexpr std::uint32_t kAbsent = LocalIds::kAbsent;

    void clear() {
        base_ = next_base_;
        count_ = 0;
        if (base_ < kLastBase) return;
        slots_.assign(slots_.size(), {});
        base_ = next_base_ = 1;
    }

    /// The number of a key, or kAbsent.
    [[nodiscard]] std::uint32_t find(std::uint32_t key) const {
        if (slots_.empty()) return kAbsent;
        const Slot& slot = slots_[place_of(key)];
        return slot.number < base_ ? kAbsent : slot.number - base_;
    }
    /// Asks for the memory in which find() will look.
    void prefetch(std::uint32_t key) const {
        if (!slots_.empty()) __builtin_prefetch(&slots_[key & (slots_.size() - 1)]);
    }
    void set(std::uint32_t key, std::uint32_t number) {
        if ((count_ + 1) * 2 > slots_.size()) grow();
        Slot& slot = slots_[place_of(key)];
        if (slot.number < base_) ++count_;
        slot = {key, base_ + number};
        next_base_ = std::max(next_base_, base_ + number + 1);
    }

  private:
    struct Slot {
        std::uint32_t key = 0;
        std::uint32_t number = 0; ///< plus base_; less: of a chunk before
    };
    static constexpr std::uint32_t kLastBase = 1U << 31U;

    [[nodiscard]] std::size_t place_of(std::uint32_t key) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = key & mask;
        while (slots_[at].number >= base_ && slots_[at].key != key) at = (at + 1) & mask;
        return at;
    }
    void grow() {
        std::vector<Slot> old(slots_.empty() ? 256 : slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.number >= base_) slots_[place_of(slot.key)] = slot;
        }
    }

    std::vector<Slot> slots_;
    std::size_t count_ = 0;
    std::uint32_t base_ = 1;
    std::uint32_t next_base_ = 1;
};

} // namespace heddle::recorder
