// A thread that waits for a condition, as it stands in the queue (wake_ups.h). It is part of the thread's
// state, whose memory stays: who notifies may look at it until the thread is awake, and a moment longer.
#pragma once

#include "traces/recorder/shadow.h"

#include <atomic>
#include <cstdint>

#include <semaphore.h>

namespace heddle::recorder {

struct Waiter {
    enum class Stage : std::uint32_t { awake, asleep, notified };

    // Guarded by the lock of its queue.
    Address condition = 0;       ///< 0: in no queue
    bool sleeps_outside = false; ///< in the C library
    Waiter* next = nullptr;
    std::uint64_t began =
        0; ///< after this ticket: an earlier one, which its owner left, wakes without a number
    std::uint64_t ticket = 0; ///< of the notify that took it out; 0: none did, or it was not recorded

    std::atomic<Stage> stage{Stage::awake};
    /// Where it sleeps. Who gave up may leave a post behind: awake is who was notified.
    sem_t bed{}; ///< zeros: empty, and of this process
};

} // namespace heddle::recorder
