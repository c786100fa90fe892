// For the checker: a state of the run, and what may be taken in it. The recorded run is walked through it;
// the steps of a claim are taken one by one and then undone.
#pragma once

#include "analysis/witness/checker_record.h"
#include "traces/result.h"
#include "traces/trace.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace heddle::checker {

class State {
  public:
    State(const Trace& trace, const Record& record);

    /// As recorded: nothing is asked, nothing can be undone.
    void follow(const EventView& event);

    /// A step: it must be the next event of its thread, and allowed. `faithful`: what faithful() says of it.
    [[nodiscard]] Result<void> take(EventId step, bool faithful);
    /// Whether a read that would be taken now sees what it saw when recorded.
    [[nodiscard]] Result<void> faithful(EventId step) const;
    void undo_all();

    [[nodiscard]] bool taken(EventId event) const;
    /// It is the next event of its thread, and the thread has begun.
    [[nodiscard]] bool at(EventId event) const;

  private:
    struct Lock {
        std::uint32_t owner = kNobody; ///< that holds it exclusively
        std::vector<ThreadId> sharers;
    };
    struct Semaphore {
        bool counted = false;
        std::int64_t count = 0;
    };
    struct Overwritten {
        std::size_t taken = 0; ///< before which step
        VarId variable;
        Writers writers = kNothingWritten;
    };
    static constexpr std::uint32_t kNobody = 0xFFFF'FFFF;

    [[nodiscard]] Result<void> allowed(const EventView& event) const;
    [[nodiscard]] Result<void> lock_allows(const EventView& event) const;
    /// What the event changes besides memory; and the opposite.
    void apply(const EventView& event);
    void revert(const EventView& event);
    void write(const EventView& event, std::uint32_t writer);
    [[nodiscard]] bool holds(std::uint32_t writer, VarId variable, unsigned byte, std::uint8_t content) const;

    const Trace& trace_;
    const Record& record_;
    std::vector<std::uint32_t> positions_; ///< by thread: how many of its events were taken
    std::vector<Lock> locks_;
    std::vector<Semaphore> semaphores_;
    std::vector<Writers> memory_; ///< by variable
    std::vector<EventId> steps_;  ///< taken, to be undone
    std::vector<Overwritten> overwritten_;
};

} // namespace heddle::checker
