// The calls of marked pieces of source (source_blocks.h) that one thread makes, as transactions.
//
// A run tells no calls and returns, only where each event happened. So a call ends where the next event has
// no frame in the piece, or has another caller; where a statement of the piece comes after a later one; and
// where what may happen once in a call happens again: an event of the piece's own code outside of its loops,
// or the event that the call began with. Two calls with nothing else in between are thus told apart in all
// but odd cases, and then they end too early rather than too late: what nobody wrote is never called a
// transaction.
//
// O(pieces around the event × events of the call in the piece's own code) at each event.
#pragma once

#include "analysis/source_blocks.h"
#include "analysis/transactions.h"
#include "traces/trace.h"

#include <algorithm>
#include <vector>

namespace heddle {

class MarkedRuns {
  public:
    explicit MarkedRuns(ThreadId thread) : thread_(thread) {}

    /// The next event of the thread. Calls that ended before it are appended.
    void step(const EventView& event, const SourceBlocks& blocks, std::vector<TransactionBlock>& closed);
    [[nodiscard]] bool idle() const { return open_.empty(); }
    /// Whether a call is open that events before this one belong to.
    [[nodiscard]] bool began_before(EventId event) const {
        return std::ranges::any_of(open_, [&](const Open& open) { return open.first < event; });
    }
    void finish(std::vector<TransactionBlock>& closed);

  private:
    struct Once {
        StackId stack;
        EventKind kind = EventKind::read;
        bool operator==(const Once&) const = default;
    };
    struct Open {
        SourceBlocks::Mark at; ///< where the last event was
        EventId first;
        EventId last;
        std::vector<Once> once; ///< what does not come again in one call; what it began with is in front
    };

    [[nodiscard]] static bool goes_on(const Open& open, const SourceBlocks::Mark& mark, const Once& event);
    void close(const Open& open, std::vector<TransactionBlock>& closed) const {
        closed.push_back({thread_, open.first, open.last, TransactionOrigin::marked_in_source});
    }

    ThreadId thread_;
    std::vector<Open> open_;
};

} // namespace heddle
