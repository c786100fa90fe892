// The critical sections of a run: for each acquire the release that ends it, per thread and per lock.
// Sections of one thread and lock do not overlap in a trace that keeps the rules (traces/rules.h).
//
// O(lock events × locks held at once) to make; lookups are binary searches. Online: extend() takes what came
// since.
#pragma once

#include "analysis/interner.h"
#include "traces/raw_memory.h"
#include "traces/trace.h"

#include <cstdint>
#include <span>
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
    /// Takes events of the trace, in order; those that are not of locks are passed over.
    void extend(const Trace& trace, std::span<const EventId> events);

    [[nodiscard]] const LockSection& operator[](std::uint32_t section) const { return sections_[section]; }
    /// The section that an acquire opens.
    [[nodiscard]] std::uint32_t opened_by(EventId acquire) const;
    /// The last section of `thread` that excludes `section` and whose acquire is below `bound`; or nothing.
    [[nodiscard]] const LockSection* last_excluding(const LockSection& section, ThreadId thread,
                                                    Bound bound) const;
    /// The first one whose acquire is at or above `bound`; or nothing.
    [[nodiscard]] const LockSection* first_excluding(const LockSection& section, ThreadId thread,
                                                     Bound bound) const;

  private:
    struct Passages {
        std::vector<std::uint32_t> all;
        std::vector<std::uint32_t> exclusive;
    };

    void enter(const EventView& acquire);
    void leave(const EventView& release);
    [[nodiscard]] Passages& passages_by(ThreadId thread, LockId lock);
    /// The sections of `thread` that exclude `section`, by acquire.
    [[nodiscard]] std::span<const std::uint32_t> excluding(const LockSection& section, ThreadId thread) const;
    /// How many of them have their acquire below `bound`.
    [[nodiscard]] std::size_t below(std::span<const std::uint32_t> list, Bound bound) const;

    LargeVector<LockSection> sections_; ///< by acquire
    std::vector<Passages> passages_;
    GrowingMap passages_of_;                       ///< by thread and lock: into passages_
    std::vector<std::vector<std::uint32_t>> held_; ///< by thread: its open sections
};

} // namespace heddle
