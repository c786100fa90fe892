// What the search for witnesses needs to know of a run besides what is forced (seed_edges.h): who accessed a
// variable before, what memory held at first, and since when a thread has held locks.
//
// Online: extend() takes the events recorded since. A few nanoseconds and 8 bytes an event; 4 more for writes
// to variables that are written in parts.
#pragma once

#include "traces/trace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle {

class RunIndex {
  public:
    void extend(const Trace& trace);

    /// Of an access: the last one of the same variable before it; or invalid.
    [[nodiscard]] EventId access_before(EventId access) const {
        return EventId{previous_[access.value].access};
    }
    /// Of an access of the variable: the last write before it to any of the bytes, a bit each; or invalid.
    /// There may be thousands of writes to other bytes in between: O(log writes).
    [[nodiscard]] EventId write_before(VarId variable, EventId access, unsigned bytes) const {
        const Variable& about = variables_[variable.value];
        if ((bytes & about.written) == 0) return {};
        if (about.in_parts == kWhole) return EventId{previous_[access.value].write};
        return write_before(in_parts_[about.in_parts], access, bytes);
    }
    /// The last write to the variable in the run; or invalid.
    [[nodiscard]] EventId last_write(VarId variable) const {
        return EventId{variables_[variable.value].write};
    }
    /// Likewise of any kind.
    [[nodiscard]] EventId last_access(VarId variable) const {
        return EventId{variables_[variable.value].access};
    }

    /// Whether several threads access the variable.
    [[nodiscard]] bool shared(VarId variable) const { return variables_[variable.value].shared; }

    /// What the bytes held before anything was written to them, if reads tell. Lowest byte first.
    [[nodiscard]] std::optional<std::uint64_t> first_content(VarId variable, ByteRange bytes) const;

    /// A stretch of a thread in which it holds locks all the time.
    struct Stretch {
        EventId acquire;    ///< of the first lock
        EventId release;    ///< of the last one; invalid: the run ends before
        bool waits = false; ///< the thread begins to wait for a condition in it
    };
    /// The stretch that an event lies in, after its acquire and up to its release.
    [[nodiscard]] std::optional<Stretch> stretch_at(ThreadId thread, EventId event) const {
        return find(threads_[thread.value].stretches, event);
    }
    /// Likewise of marked blocks, which begin and end instead.
    [[nodiscard]] std::optional<Stretch> marked_at(ThreadId thread, EventId event) const {
        return find(threads_[thread.value].marked, event);
    }

  private:
    struct Previous {
        std::uint32_t access = EventId::kNone;
        std::uint32_t write = EventId::kNone;
    };
    struct Variable {
        std::uint32_t access = EventId::kNone; ///< the last ones
        std::uint32_t write = EventId::kNone;
        ThreadId thread; ///< any of those that access it
        bool shared = false;
        std::uint8_t written = 0; ///< a bit for each byte
        std::uint8_t known = 0;   ///< likewise, of first
        std::array<std::uint8_t, 8> first{};
        std::uint32_t in_parts = kWhole; ///< into in_parts_; or all writes are to the same bytes
    };
    static constexpr std::uint32_t kWhole = 0xFFFF'FFFF;
    /// All writes to some bytes of a variable.
    struct Part {
        std::uint8_t bytes = 0; ///< a bit each
        std::vector<EventId> writes;
    };
    struct Thread {
        std::uint32_t held = 0;
        std::uint32_t marks = 0;
        std::vector<Stretch> stretches;
        std::vector<Stretch> marked;
    };

    [[nodiscard]] static std::optional<Stretch> find(const std::vector<Stretch>& stretches, EventId event);

    [[nodiscard]] static EventId write_before(const std::vector<Part>& parts, EventId access, unsigned bytes);

    void take_access(const Trace& trace, const EventView& event);
    void take_write(Variable& variable, EventId write, std::uint8_t bytes);

    std::vector<Previous> previous_; ///< by event; of events that are no accesses nothing
    std::vector<Variable> variables_;
    std::vector<std::vector<Part>> in_parts_;
    std::vector<Thread> threads_;
};

} // namespace heddle
