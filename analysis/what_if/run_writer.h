// Writes a run with other events than the recorded one: objects and places keep their ids, of stacks only the
// innermost place is kept, and names are left out. That is what the analyses look at.
//
// O(objects + places) to make, O(1) for an event.
#pragma once

#include "traces/trace_builder.h"

#include <vector>

namespace heddle {

class RunWriter {
  public:
    explicit RunWriter(const Trace& trace);

    /// An event of the recorded run, as it was or made atomic. Accesses lose their values: where events
    /// change places, memory holds other things.
    void keep(const EventView& event, bool atomic);
    /// A lock event that the recorded run does not have.
    void add(EventKind kind, ThreadId thread, LockId lock, StackId recorded_stack);

    [[nodiscard]] Trace trace() const { return builder_.snapshot(); }

  private:
    [[nodiscard]] StackId stack_at(PlaceId place);

    const Trace& original_;
    TraceBuilder builder_;
    std::vector<StackId> stacks_; ///< by place; invalid until there is one
};

} // namespace heddle
