// A variable that is recorded: 8 bytes of memory, and what the trace says of them so far.
//
// Every recorded access goes through its variable's lock, which makes the trace valid by construction:
//  - accesses to one variable are stamped in the order in which they take the lock, even when the program
//    races (see order_after);
//  - a value is only written down if it agrees with what the trace says the bytes hold. Code that is not
//    instrumented may have changed them: such a read is recorded without its value.
//
// The exception are variables that several threads have read since the last write. Their further reads leave
// no mark, so that no cache line wanders between cores; instead, whoever writes them takes a new stamp, which
// is after all reads that there may have been. Their cells may say what they hold, so that most of these
// reads do not even look here (cell_state.h). Nor does a thread leave a mark that reads again, in the same
// epoch, what it was the last to access: that it was there at this stamp is known.
#pragma once

#include "traces/recorder/spin_lock.h"

#include <atomic>
#include <cstdint>

namespace heddle::recorder {

struct Variable {
    SpinLock lock;
    std::uint8_t known = 0;        ///< which bytes of `content` the trace tells, one bit each
    bool last_changed : 1 = false; ///< the last access wrote it, or was the first to tell what it holds
    bool tied : 1 = false;         ///< several threads read at the last stamp
    std::uint8_t writers : 6 = 0;  ///< whose callbacks came, and whose values may not be in memory yet
    std::uint8_t written = 0;      ///< by these: one bit for each byte
    std::uint32_t last_thread = 0;
    std::uint64_t last_stamp = 0;
    std::uint64_t content = 0;
    std::atomic<bool> read_shared{false}; ///< several threads have read it since the last write
    std::atomic<bool> linked{false};      ///< somebody says, or does so now, which block it lies in
    std::atomic<bool> taken{false};       ///< it is, or was, the variable of some memory
    std::atomic<bool> past_told{false};   ///< the cell's bits of history are no longer needed
    std::uint32_t version = 0; ///< counts accesses: tells a pending write whether another came between

    /// Bytes `offset` to `offset + size` as a mask of known and of content.
    struct Part {
        unsigned shift;
        std::uint64_t ones;
        std::uint8_t set;

        Part(unsigned offset, unsigned size) noexcept
            : shift(8 * offset), ones(~std::uint64_t{0} >> (64U - 8 * size)),
              set(static_cast<std::uint8_t>(((1U << size) - 1U) << offset)) {}
    };

    [[nodiscard]] bool agrees(Part part, std::uint64_t value) const noexcept {
        const auto told = static_cast<std::uint8_t>(known & part.set);
        if (told == part.set) [[likely]]
            return ((content >> part.shift) & part.ones) == value;
        return ((content ^ (value << part.shift)) & bits_of(told)) == 0;
    }
    /// Whether the trace says that the bytes hold the value.
    [[nodiscard]] bool tells(Part part, std::uint64_t value) const noexcept {
        return (known & part.set) == part.set && ((content >> part.shift) & part.ones) == value;
    }
    void learn(Part part, std::uint64_t value) noexcept {
        content = (content & ~(part.ones << part.shift)) | value << part.shift;
        known |= part.set;
    }
    /// Whether the thread whose stamp is `stamp` may read `value` without the lock: several threads read the
    /// variable, or this one was the last to access it, at this stamp. Looks at the variable while others may
    /// change it, and says no if one did.
    [[nodiscard]] bool may_be_read_quietly(Part part, std::uint64_t value, std::uint32_t thread,
                                           std::uint64_t stamp) noexcept {
        const std::uint32_t before = std::atomic_ref(version).load(std::memory_order_acquire);
        if (lock.is_held()) return false;
        const std::uint64_t last = std::atomic_ref(last_stamp).load(std::memory_order_acquire);
        const bool again =
            last == stamp && std::atomic_ref(last_thread).load(std::memory_order_acquire) == thread;
        if (!again && (last > stamp || !read_shared.load(std::memory_order_acquire))) return false;
        const std::uint8_t told = std::atomic_ref(known).load(std::memory_order_acquire);
        const std::uint64_t held = std::atomic_ref(content).load(std::memory_order_acquire);
        return (told & part.set) == part.set && ((held >> part.shift) & part.ones) == value &&
               !lock.is_held() && std::atomic_ref(version).load(std::memory_order_acquire) == before;
    }
    static constexpr std::uint8_t kMostWriters = 63;
    /// Between a write's callback and its value in memory, to be ended with end_write. Whether the bytes will
    /// show this value: which of several comes last is not known.
    [[nodiscard]] bool begin_write(Part part) noexcept {
        const bool alone = (written & part.set) == 0;
        ++writers;
        written |= part.set;
        return alone;
    }
    void end_write() noexcept {
        --writers;
        if (writers == 0) written = 0;
    }
    void forget(Part part) noexcept { known &= static_cast<std::uint8_t>(~part.set); }

  private:
    /// One bit for each byte spread to all bits of these bytes.
    [[nodiscard]] static std::uint64_t bits_of(std::uint8_t bytes) noexcept {
        std::uint64_t bits = 0;
        for (unsigned byte = 0; byte < 8; ++byte) {
            if ((bytes & (1U << byte)) != 0) bits |= std::uint64_t{0xFF} << (8 * byte);
        }
        return bits;
    }
};
static_assert(sizeof(Variable) == 32);

} // namespace heddle::recorder
