// A schedule as one tells it: which threads matter, what they did before, the steps that a person needs in
// their order, and what each thread holds where it ends. Says nothing of how it looks: a terminal, a hover
// and a web page lay it out in their own ways. The event with which a thread begins is not told and in no
// gap, unless every step is: the thread's fork or its first step says as much.
//
// The schedule must be a witness of the property (checker.h). O(steps + log events) for one, after one pass
// over the run for all (thread_pasts.h).
#pragma once

#include "analysis/property.h"
#include "analysis/witness/schedule.h"
#include "analysis/witness/thread_pasts.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace heddle {

/// A step that is shown.
struct StoryStep {
    EventId event;
    ThreadId thread;
    std::string words;   ///< "lock acct->mu"
    std::string value;   ///< "= 1"; empty when it is not recorded or need not be what was recorded
    PlaceId place;       ///< invalid when the run does not tell
    bool marked = false; ///< an event of the property itself
    bool taken = true;   ///< false: here its thread stands at the end
};

/// Steps that are not shown, between two that are, or before the first.
struct StoryGap {
    struct Part {
        ThreadId thread;
        std::uint64_t events = 0;
        EventId last; ///< of them: what the thread holds from there on
    };
    std::vector<Part> parts;  ///< of the story's threads, in its order; those that took some
    std::uint64_t others = 0; ///< steps of threads that are not in the story
};

using StoryRow = std::variant<StoryStep, StoryGap>;

struct StoryThread {
    ThreadId thread;
    EventId forked_by;        ///< invalid when the run does not tell
    std::uint64_t before = 0; ///< events that it took as recorded, before the base, but for those with rows
    std::vector<HeldLock> held_before;
    std::vector<HeldLock> held_at_end;
};

struct Story {
    /// No later than the schedule's: a short beginning is told step by step.
    EventId base{0U}; ///< what is before it was taken as recorded; only marked events of it have rows
    std::vector<StoryThread> threads; ///< in order of appearance
    std::uint64_t others_before = 0;  ///< events before the base of threads that are not in the story
    std::vector<StoryRow> rows;

    [[nodiscard]] std::size_t shown() const; ///< steps, that is, without the gaps
};

struct StoryOptions {
    std::size_t enough = 12; ///< steps; more are shown only if they cannot be left out
    bool every_step = false; ///< of the schedule
};

[[nodiscard]] Story tell(const ThreadPasts& pasts, const Property& property, const Schedule& schedule,
                         const StoryOptions& options = {});

/// The same steps, in the order in which the recorded run took them, up to the last of them.
[[nodiscard]] Story as_recorded(const ThreadPasts& pasts, const Story& story);

/// How often one thread stops and another goes on, from the schedule's first step on.
[[nodiscard]] std::size_t context_switches(const Trace& trace, const Schedule& schedule);

} // namespace heddle
