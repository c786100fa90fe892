// The numbers that things have within one chunk: tables from process-wide keys to small numbers that are
// emptied, not shrunk, for the next chunk.
#pragma once

#include <array>
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

/// For keys that are given out one after the other, such as identities. Keys stand in pages of kTogether, so
/// that those which were made together share a cache line, and a table of the pages that stays small finds
/// them.
class DenseIds {
  public:
    static constexpr std::uint32_t kAbsent = LocalIds::kAbsent;

    void clear() {
        base_ += used_;
        used_ = 0;
        if (base_ < kLastBase) return;
        slots_.assign(slots_.size(), {});
        base_ = 1;
    }

    /// The number of a key, or kAbsent.
    [[nodiscard]] std::uint32_t find(std::uint32_t key) const {
        if (slots_.empty()) return kAbsent;
        const Slot& slot = slots_[place_of(key / kTogether)];
        return slot.page < base_ ? kAbsent : pages_[slot.page - base_][key % kTogether];
    }
    void set(std::uint32_t key, std::uint32_t number) {
        if ((used_ + 1) * 2 > slots_.size()) grow();
        Slot& slot = slots_[place_of(key / kTogether)];
        if (slot.page < base_) {
            slot = {key / kTogether, base_ + used_};
            if (used_ == pages_.size()) pages_.resize(2 * used_ + 64);
            pages_[used_++].fill(kAbsent);
        }
        pages_[slot.page - base_][key % kTogether] = number;
    }

  private:
    static constexpr std::uint32_t kTogether = 16;
    static constexpr std::uint32_t kLastBase = 1U << 31U;
    using Page = std::array<std::uint32_t, kTogether>;
    struct Slot {
        std::uint32_t first = 0; ///< key of the page, divided by kTogether
        std::uint32_t page = 0;  ///< its number plus base_; less: of a chunk before
    };

    [[nodiscard]] std::size_t place_of(std::uint32_t first) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = first & mask;
        while (slots_[at].page >= base_ && slots_[at].first != first) at = (at + 1) & mask;
        return at;
    }
    void grow() {
        std::vector<Slot> old(slots_.empty() ? 256 : slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.page >= base_) slots_[place_of(slot.first)] = slot;
        }
    }

    std::vector<Slot> slots_;
    std::vector<Page> pages_; ///< the first used_ are in use
    std::uint32_t used_ = 0;
    std::uint32_t base_ = 1;
};

} // namespace heddle::recorder
