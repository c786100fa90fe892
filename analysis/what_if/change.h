// A change of a program, as far as a recorded run shows it: locks held over more of it, variables that are
// atomic.
#pragma once

#include "traces/id.h"

#include <vector>

namespace heddle {

/// A lock, exclusively, over events of one thread: acquired just before the first, released just after the
/// last.
struct HeldSpan {
    ThreadId thread;
    EventId first;
    EventId last;
    LockId lock;

    bool operator==(const HeldSpan&) const = default;
};

struct Change {
    std::vector<HeldSpan> held; ///< spans of one thread and lock do not overlap
    /// Critical sections of the same lock that a span meets become one with it. Without this, a span that
    /// meets one is a thread that waits for itself.
    bool joins_sections = false;
    std::vector<VarId> atomic; ///< every access of these is atomic
    /// Accesses that may come again right behind themselves: the recorder leaves repetitions out. Ascending.
    std::vector<EventId> repeated;
    /// It holds locks besides of which the run does not tell, inside of others: they may bring a deadlock.
    bool leaves_out = false;
};

} // namespace heddle
