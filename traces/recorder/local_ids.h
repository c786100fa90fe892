// The numbers that things have within one chunk: tables from process-wide keys to small numbers that are
// emptied, not shrunk, for the next chunk.
#pragma once

#include "traces/htr/layout.h"

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

/// For keys that are given out one after the other, such as identities: those of a page are numbered
/// together, in the order of their keys, so that a table that stays small finds them all.
class PageNumbers {
  public:
    struct Page {
        std::uint32_t number =
            0; ///< its place among the pages of the chunk, plus base_; less: of a chunk before
        std::uint32_t page = 0;
        std::uint32_t seen = 0; ///< for the caller: one bit for each key
    };
    static_assert(htr::kKeysPerPage <= 32);

    void clear() {
        base_ += used_;
        used_ = 0;
        if (base_ < kLastBase) return;
        slots_.assign(slots_.size(), {});
        base_ = 1;
    }
    /// The page that has the key, if it was added; otherwise nothing.
    [[nodiscard]] Page* find(std::uint32_t key) {
        const std::uint32_t page = key / htr::kKeysPerPage;
        Page& slot = slots_[place_of(page)];
        return slot.number < base_ ? nullptr : &slot;
    }
    /// It gets the next number.
    [[nodiscard]] Page& add(std::uint32_t key) {
        if ((used_ + 1) * 2 > slots_.size()) grow();
        Page& slot = slots_[place_of(key / htr::kKeysPerPage)];
        return slot = {.number = base_ + used_++, .page = key / htr::kKeysPerPage};
    }
    [[nodiscard]] std::uint32_t number_of(const Page& page, std::uint32_t key) const {
        return (page.number - base_) * htr::kKeysPerPage + key % htr::kKeysPerPage;
    }

  private:
    static constexpr std::uint32_t kLastBase = 1U << 31U;
    static constexpr std::size_t kFirstSlots = 64;

    [[nodiscard]] std::size_t place_of(std::uint32_t page) const {
        std::size_t at = page & mask_;
        while (slots_[at].number >= base_ && slots_[at].page != page) at = (at + 1) & mask_;
        return at;
    }
    void grow() {
        std::vector<Page> old(slots_.size() * 2);
        old.swap(slots_);
        mask_ = slots_.size() - 1;
        for (const Page& slot : old) {
            if (slot.number >= base_) slots_[place_of(slot.page)] = slot;
        }
    }

    std::vector<Page> slots_ = std::vector<Page>(kFirstSlots);
    std::size_t mask_ = kFirstSlots - 1;
    std::uint32_t used_ = 0;
    std::uint32_t base_ = 1;
};

} // namespace heddle::recorder
