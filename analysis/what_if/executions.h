// Every recorded run through a piece of source: which events of which threads belong to it. Code that it
// calls belongs to it, too.
#pragma once

#include "traces/trace.h"

#include <vector>

namespace heddle {

/// Consecutive events of a thread.
struct Execution {
    ThreadId thread;
    EventId first;
    EventId last;

    bool operator==(const Execution&) const = default;
};

struct Executions {
    std::vector<Execution> all; ///< by thread, then by order
    /// The same if what comes again with nothing in between is a loop inside of the piece.
    std::vector<Execution> unbroken;
    bool recursive = false; ///< the piece was entered while a run through it was under way
};

/// `inside`: by place, whether it is in the piece, which is part of one function. Runs that follow each other
/// with nothing recorded in between are told apart where what the first began with comes again, though that
/// may be a loop inside of the piece. O(events + stacks).
[[nodiscard]] Executions executions(const Trace& trace, const std::vector<bool>& inside);

} // namespace heddle
