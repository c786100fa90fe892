#include "daemon/report/taken_locks.h"

#include <cstddef>

namespace heddle::report {

namespace {
constexpr std::size_t kMaxLookBack = 100'000; ///< events of the thread
} // namespace

std::optional<EventView> taken_before(const Trace& trace, LockId lock, const EventView& event) {
    const ThreadIndex& events = trace.events_of(event.thread());
    std::size_t at = trace.index_in_thread(event.id());
    for (std::size_t looked = 0; at-- > 0 && looked < kMaxLookBack; ++looked) {
        const EventView earlier = trace[EventId{events[at]}];
        const bool takes =
            earlier.kind() == EventKind::acquire || earlier.kind() == EventKind::acquire_shared;
        if (takes && earlier.lock() == lock) return earlier;
    }
    return std::nullopt;
}

} // namespace heddle::report
