// Waiting for a condition: the same for pthread's condition variables and C11's, which are those.
#pragma once

#include "traces/recorder/interception.h"
#include "traces/recorder/wake_ups.h"

#include <pthread.h>
#include <time.h>

namespace heddle::recorder {

/// When a wait ends of itself.
struct Deadline {
    const timespec* time = nullptr;                ///< nothing: never
    std::optional<clockid_t> clock = std::nullopt; ///< nothing: the condition's
};

/// What pthread_cond_wait and its like do.
int wait_for_condition(pthread_cond_t* condition, pthread_mutex_t* mutex, const Deadline& deadline,
                       Address place);
/// What pthread_cond_signal does, or pthread_cond_broadcast.
int notify_condition(pthread_cond_t* condition, bool all, Address place) noexcept;

} // namespace heddle::recorder
