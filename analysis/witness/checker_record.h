// For the checker: what the recorded run says of the events that claims take as steps, and of memory that
// nothing was written to. One pass over the run.
#pragma once

#include "traces/trace.h"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace heddle::checker {

/// By byte of a variable: the event that wrote it last, kUnwritten or kUnknownWrite.
using Writers = std::array<std::uint32_t, 8>;
inline constexpr std::uint32_t kUnwritten = 0xFFFF'FFFF;
/// A read-modify-write that did not read what it read when recorded: nobody knows what it writes.
inline constexpr std::uint32_t kUnknownWrite = 0xFFFF'FFFE;
inline constexpr Writers kNothingWritten = {kUnwritten, kUnwritten, kUnwritten, kUnwritten,
                                            kUnwritten, kUnwritten, kUnwritten, kUnwritten};

/// Of an event that may become a step.
struct StepRecord {
    EventId event;
    std::vector<EventId> needs;     ///< must have been taken
    Writers seen = kNothingWritten; ///< of an event that reads: whose bytes it saw
};

/// What a variable holds before the first write, as far as reads tell.
struct FirstContent {
    std::uint8_t known = 0; ///< a bit for each byte
    std::array<std::uint8_t, 8> bytes{};
};

class Record {
  public:
    /// `steps` ascending, each once.
    Record(const Trace& trace, std::span<const EventId> steps);

    [[nodiscard]] const StepRecord& of(EventId step) const;
    /// Whether a step accesses the variable; of others nothing is known.
    [[nodiscard]] bool accessed(VarId variable) const { return accessed_[variable.value]; }
    [[nodiscard]] const FirstContent& first_content(VarId variable) const {
        return contents_[variable.value];
    }

    /// Invalid: nobody forked it.
    [[nodiscard]] EventId fork_of(ThreadId thread) const { return forks_[thread.value]; }

  private:
    using Numbered = std::pair<std::uint32_t, std::uint64_t>; ///< an object, and a round or ticket

    void pass(const Trace& trace);
    void note_access(const Trace& trace, const EventView& event, StepRecord* step);
    void note_wait(const Trace& trace, const EventView& event, StepRecord* step);
    void note_needs(const Trace& trace, const EventView& event, StepRecord* step);
    void add_later_needs(const Trace& trace);

    std::vector<StepRecord> steps_;
    std::vector<bool> accessed_; ///< by variable
    std::vector<FirstContent> contents_;

    // Where the pass stands.
    std::vector<Writers> writers_;            ///< by variable
    std::vector<std::vector<EventId>> heads_; ///< by variable: the releases that an acquire waits for
    std::vector<EventId> forks_;              ///< by thread
    std::vector<bool> begun_;                 ///< by thread
    std::map<std::uint32_t, EventId> onces_;  ///< the end, by object
    std::map<std::uint32_t, std::vector<EventId>> marks_; ///< happens_before, by tag
    std::map<Numbered, EventId> notifies_;                ///< by condition and ticket
    std::map<Numbered, EventId> waits_;                   ///< begun, by thread and condition
    std::map<Numbered, std::vector<EventId>> entered_;    ///< by barrier and round
    std::map<EventId, std::vector<EventId>> woken_;       ///< by notify: where the waits that it ended began
    std::map<std::uint32_t, EventId> counted_;            ///< sem_init with a count, by semaphore
};

} // namespace heddle::checker
