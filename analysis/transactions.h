// The stretches of each thread that are meant to be atomic (docs/algorithms.md): every critical section,
// shared or exclusive, unless the thread waits for a condition inside (wait_pre), every marked block
// (txn_begin to the matching txn_end), and blocks that the caller knows of from elsewhere, such as the
// source. What is not closed goes on to the thread's last event.
//
// O(events × (locks held + blocks open)). Blocks may overlap in any way.
#pragma once

#include "traces/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

enum class TransactionOrigin : std::uint8_t {
    critical_section,
    marked, ///< by the run itself
    given,
    marked_in_source,
};

/// Events [first, last] of one thread, by event id.
struct TransactionBlock {
    ThreadId thread;
    EventId first;
    EventId last;
    TransactionOrigin origin = TransactionOrigin::given;

    bool operator==(const TransactionBlock&) const = default;
};

/// By thread, then first, then last. `given` is merged in.
[[nodiscard]] std::vector<TransactionBlock> transactions(const Trace& trace,
                                                         std::span<const TransactionBlock> given = {});

/// The same for consecutive events of one thread, `events` being positions in Trace::events_of; blocks still
/// open after the last one end there. Appends in order of closing.
class TransactionScanner {
  public:
    explicit TransactionScanner(ThreadId thread) : thread_(thread) {}

    void step(const EventView& event, std::vector<TransactionBlock>& closed);
    /// Whether nothing is open: no later event can change or extend a block.
    [[nodiscard]] bool idle() const { return sections_.empty() && marks_.empty(); }
    void finish(EventId last, std::vector<TransactionBlock>& closed);

  private:
    struct Section {
        LockId lock;
        EventId first;
        bool waits = false;
    };

    ThreadId thread_;
    std::vector<Section> sections_;
    std::vector<EventId> marks_;
};

} // namespace heddle
