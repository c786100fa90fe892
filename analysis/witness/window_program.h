// A window as a small program that can be run in any order: one strand for each thread that has events in it,
// one step for each event that others may notice. What nobody else notices (accesses to memory that only one
// strand touches, marks of transactions, …) goes along with the next step that matters.
//
// O(events of the window) to make.
#pragma once

#include "analysis/property.h"
#include "analysis/ucg.h"
#include "analysis/witness/run_index.h"
#include "analysis/witness/schedule.h"
#include "analysis/witness/window.h"
#include "traces/trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heddle {

using StrandNumber = std::uint32_t;

struct WindowProgram {
    static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

    /// So many steps of a strand.
    struct Progress {
        StrandNumber strand = 0;
        std::uint32_t steps = 0;
    };

    /// What bytes of memory hold is the *content* of a write, or what they held at the base.
    struct Content {
        bool known = false;
        std::uint64_t value = 0;
        Progress written; ///< when; at the base: nothing
        /// Contents of a slot that no read of the window can tell apart have the same number.
        std::uint32_t kind = 0;
    };
    struct Read {
        std::uint32_t slot = 0;
        std::uint32_t saw = kNone; ///< a content; none: of a write that is not in the window
        bool known = false;
        std::uint64_t value = 0;
    };
    struct Write {
        std::uint32_t slot = 0;
        std::uint32_t content = 0;
    };
    enum class Action : std::uint8_t { plain, acquire, acquire_shared, release, release_shared, post, wait };
    struct Step {
        EventId event;
        std::uint32_t end = 0; ///< events of the thread that are taken once this step is
        Action action = Action::plain;
        bool impossible = false;  ///< it needs an event that is not in the window
        std::uint32_t object = 0; ///< a lock or semaphore of the window
        std::uint32_t first_need =
            0; ///< its ranges of `needs`, `reads` and `writes` end where the next begin
        std::uint32_t last_need = 0;
        std::uint32_t first_read = 0;
        std::uint32_t last_read = 0;
        std::uint32_t first_write = 0;
        std::uint32_t last_write = 0;
    };
    struct Strand {
        ThreadId thread;
        std::uint32_t begin = 0; ///< events of the thread before the base
        std::vector<Step> steps;
        bool fixed = false; ///< the property says where it ends: all its steps have to be taken
    };
    /// Who holds a lock at the base: so many share it, or one has it. That may be a thread without a strand.
    struct Lock {
        static constexpr StrandNumber kOutside = 0x7FFF'FFFF;
        bool owned = false;
        StrandNumber owner = kOutside;
        std::uint32_t sharers = 0;
    };

    EventId base{0U};
    std::vector<Strand> strands;
    std::vector<Progress> needs;
    std::vector<Read> reads;
    std::vector<Write> writes;
    std::vector<Content> contents; ///< content s is what slot s holds at the base
    std::size_t slots = 0;
    std::vector<Lock> locks;
    std::vector<std::int32_t> semaphores; ///< counts at the base
    std::vector<Progress> goal;           ///< has to be reached besides the ends of fixed strands

    // Of an atomicity violation; else none.
    Progress first;  ///< taken with this
    Progress remote; ///< likewise
    bool violation = false;

    [[nodiscard]] std::span<const Progress> needs_of(const Step& step) const {
        return std::span(needs).subspan(step.first_need, step.last_need - step.first_need);
    }
    [[nodiscard]] std::span<const Read> reads_of(const Step& step) const {
        return std::span(reads).subspan(step.first_read, step.last_read - step.first_read);
    }
    [[nodiscard]] std::span<const Write> writes_of(const Step& step) const {
        return std::span(writes).subspan(step.first_write, step.last_write - step.first_write);
    }
    [[nodiscard]] std::size_t size() const;

    /// The schedule that takes steps of these strands.
    [[nodiscard]] Schedule schedule(const Trace& trace, std::span<const StrandNumber> run) const;
    /// The opposite: of which strand is each step that a schedule takes.
    [[nodiscard]] std::vector<StrandNumber> strands_of(const Trace& trace, const Schedule& schedule) const;
};

/// Nothing when the locks held at the base cannot be found within `max_events`.
[[nodiscard]] std::optional<WindowProgram> make_program(const Trace& trace, const CausalityGraph& causality,
                                                        const RunIndex& index, const Property& property,
                                                        const Window& window, std::size_t max_events);

} // namespace heddle
