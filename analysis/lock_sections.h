// The critical sections of a run: for each acquire the release that ends it, per thread and per lock.
// Sections of one thread and lock do not overlap in a trace that keeps the rules (traces/rules.h).
//
// O(events × locks held at once) to make; lookups are binary searches. Immutable after construction.
#pragma once

#include "traces/trace.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle {

/// A point of a thread, given as a bound on event ids: the thread's events with a smaller id were taken.
using Bound = std::uint32_t;
inline constexpr Bound kNoBound = 0xFFFF'FFFF; ///< the whole thread

struct LockSection {
    EventId acquire;
    EventId release; ///< invalid when the run ends before it
    ThreadId thread;
    LockId lock;
    bool exclusive = true;

    /// The lock is held by a thread that stops at `bound` and was given up by none of its events.
    [[nodiscard]] bool open_at(Bound bound) const { return !release.valid() || release.value >= bound; }
    [[nodiscard]] bool excludes(const LockSection& other) const {
        return lock == other.lock && thread != other.thread && (exclusive || other.exclusive);
    }
};

class LockSections {
  public:
    explicit LockSections(const Trace& trace);

    [[nodiscard]] std::span<const LockSection> sections() const { return sections_; }
    [[nodiscard]] const LockSection& operator[](std::uint32_t section) const { return sections_[section]; }
    /// The section that an acquire opens.
    [[nodiscard]] std::uint32_t opened_by(EventId acquire) const;
    /// The last section of `thread` that excludes `section` and whose acquire is below `bound`; or nothing.
    [[nodiscard]] const LockSection* last_excluding(const LockSection& section, ThreadId thread,
                                                    Bound bound) const;

  private:
    struct Passages {
        std::vector<std::uint32_t> all;
        std::vector<std::uint32_t> exclusive;
    };

    std::vector<LockSection> sections_;                    ///< by acquire
    std::unordered_map<std::uint64_t, Passages> passages_; ///< by thread and lock
};

} // namespace heddle
