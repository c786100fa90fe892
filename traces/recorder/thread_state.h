// What the recorder keeps for each thread of the program. The owner alone writes the hot part; another
// thread reads the buffer when it flushes on its behalf (see flushing.h).
#pragma once

#include "traces/recorder/call_stack.h"
#include "traces/recorder/epoch_filter.h"
#include "traces/recorder/fork_join_clock.h"
#include "traces/recorder/held_locks.h"
#include "traces/recorder/history.h"
#include "traces/recorder/record.h"
#include "traces/recorder/spin_lock.h"
#include "traces/recorder/variable.h"
#include "traces/recorder/waiter.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace heddle::htr {
class Stream;
}

namespace heddle::recorder {

namespace replay {
struct Follower;
}

/// A write whose callback came, but whose value is in memory only by the thread's next callback.
struct PendingWrite {
    Record* record = nullptr;
    Variable* variable = nullptr;
    std::uint32_t version = 0;
    /// The trace says what the bytes held before: a repeated write that stores it again adds nothing.
    bool told_before = false;
    bool lost = false; ///< what is in memory may not be its value
    std::uint64_t before = 0;
};

/// What must be known of a thread after it ended, until it is joined.
struct ThreadLife {
    std::uint32_t thread = 0;
    ForkJoinClock clock;       ///< when it ended
    std::atomic<int> users{2}; ///< the thread itself, and its handle
};

/// The last atomic load that was recorded, while nothing came after it.
struct LastLoad {
    Address address = 0;
    Address place = 0;
    std::uint64_t value = 0;
    const Record* after = nullptr;
};

/// A library's call that was unwound (library_calls.h).
struct LibraryCall {
    Address place = 0;
    Address returns_to = 0;
    Address call = 0; ///< in instrumented code; 0: unknown
};

/// The last large block that memory of was told.
struct ToldBlock {
    Address address = 0;
    std::uint64_t size = 0;
    std::uint32_t identity = 0;
    const Cell* header = nullptr;
};

struct ThreadState {
    /// `inside` of a thread that is not in the recorder and follows a replay plan: nothing it does is
    /// recorded.
    static constexpr std::uint32_t kReplaying = 1U << 31U;
    static constexpr std::size_t kRecords = 49152;
    static constexpr std::size_t kLinkedObjects = 64;
    static constexpr std::size_t kLibraryCalls = 64;
    static constexpr std::size_t kMaxPending = 3; ///< an unaligned access of 16 bytes spans three variables

    // --- hot ------------------------------------------------------------------------------------------
    std::uint32_t inside =
        0;                   ///< the thread is in the recorder: its calls and accesses are the recorder's own
    std::uint32_t muted = 0; ///< not 0: the program wants its accesses ignored
    std::uint32_t pending_count = 0;
    std::atomic<Record*> position{nullptr}; ///< where the next record goes; all before it are complete
    Record* limit = nullptr;
    std::uint64_t stamp = 0;     ///< the epoch: of the last synchronisation; accesses share it
    std::uint64_t turn = 0;      ///< within the epoch (stamps.h)
    std::uint64_t open_turn = 0; ///< from which on nothing was recorded directly
    bool kept_back = false;      ///< in this turn, something in the buffer that may become history
    bool remembered = false;     ///< in this turn, something new in the history
    std::uint64_t stamp_in_buffer = 0;
    std::uint32_t thread = 0; ///< never given to another thread
    Address stack_low = 0;
    std::size_t stack_bytes = 0;
    std::uint64_t accesses_seen = 0;
    CallStack calls;
    PendingWrite pending[kMaxPending];
    EpochFilter filter;      ///< of what is recorded
    EpochFilter kept_filter; ///< of what waits in the buffer: so much that it would push out the others
    HistoryCursor history_cursor;
    PageNumber ownership_mark = kNoPage; ///< see ownership.cpp

    // --- warm -----------------------------------------------------------------------------------------
    HistoryCursor earlier_cursor; ///< for epochs before the present one
    Places places;
    std::uint32_t next_identity = 0; ///< a range of identities that only this thread gives out
    std::uint32_t end_identity = 0;
    std::atomic<bool> busy{false}; ///< has a stamp whose event is not in the buffer yet
    std::uint32_t ignore_synchronisation = 0;
    LastLoad last_load;
    Address allocation_place = 0;                      ///< of the operator that calls malloc, or 0
    std::uint32_t linked_objects[kLinkedObjects] = {}; ///< whose blocks were told, by number
    ToldBlock told_block;
    LibraryCall library_calls[kLibraryCalls];
    ForkJoinClock clock;
    HeldLocks held;
    Waiter waiter;

    // --- cold -----------------------------------------------------------------------------------------
    SpinLock flush_lock;       ///< guards flushed and the stream
    Record* flushed = nullptr; ///< records below are in the file
    std::uint64_t flushed_stamp = 0;
    std::uint64_t flushed_direct = 0; ///< stamp of the last event up to there that was recorded directly
    htr::Stream* stream = nullptr;
    ThreadLife* life = nullptr;
    Record* buffer = nullptr;
    Frame* frames = nullptr;
    std::atomic<bool> blocked{false};   ///< in a call that waits for others
    Record* found_blocked_at = nullptr; ///< its position when another thread last found it blocked
    bool promised_new_stamp = false;    ///< another thread flushed while this one was blocked
    std::uint32_t os_thread = 0;
    char name[16] = {};
    std::uint64_t begin_stamp = 0; ///< of its first event; no later one has it
    std::uint64_t events_kept = 0;
    std::uint64_t synchronisations_seen = 0;
    ThreadState* next = nullptr;          ///< of all that live
    replay::Follower* follower = nullptr; ///< of a replay plan (replay.h)

    /// After a synchronisation event.
    void forget_filtered() noexcept {
        filter.next_epoch();
        kept_filter.next_epoch();
    }
    [[nodiscard]] bool is_in_recorder() const noexcept { return (inside & ~kReplaying) != 0; }
    [[nodiscard]] bool records_accesses() const noexcept { return (inside | muted) == 0; }
    /// The same, and no write waits to be looked at.
    [[nodiscard]] bool is_idle() const noexcept { return (inside | muted | pending_count) == 0; }
    [[nodiscard]] bool is_nearly_full() const noexcept {
        return limit - position.load(std::memory_order_relaxed) < static_cast<std::ptrdiff_t>(kRecords / 8);
    }
    /// As much of it as the system would keep.
    void set_name(const char* text) noexcept {
        std::size_t length = 0;
        while (length + 1 < sizeof(name) && text[length] != 0) name[length] = text[length], ++length;
        name[length] = 0;
    }
};

[[nodiscard]] inline bool on_own_stack(const ThreadState& state, Address address) noexcept {
    return address - state.stack_low < state.stack_bytes;
}

/// Of this thread; nothing before it was seen and after it ended.
extern thread_local constinit ThreadState* current_state __attribute__((tls_model("initial-exec")));

/// The state of this thread, made when it is first seen. Nothing: not to be recorded.
[[nodiscard]] ThreadState* attach() noexcept;
[[nodiscard]] inline ThreadState* this_thread() noexcept {
    ThreadState* state = current_state;
    return state != nullptr ? state : attach();
}

/// Marks the thread as being in the recorder. Calls it makes then are not the program's.
class Inside {
  public:
    explicit Inside(ThreadState& state) noexcept : state_(state) {
        ++state_.inside;
        std::atomic_signal_fence(std::memory_order_seq_cst); // a handler on this thread must see it
    }
    ~Inside() {
        std::atomic_signal_fence(std::memory_order_seq_cst);
        --state_.inside;
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

  private:
    ThreadState& state_;
};

} // namespace heddle::recorder
