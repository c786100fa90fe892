// The numbers that things have within one chunk: a hash table from process-wide keys to small numbers that
// is emptied, not shrunk, for the next chunk.
#pragma once

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

} // namespace heddle::recorder
