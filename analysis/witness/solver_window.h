// For the solver: what the rules say about the events of a window. Facts only, computed when asked for; the
// formula (solver_formula.h) states them and the replay (solver_replay.h) checks them.
//
// An event lies before the base (taken, as recorded), within the window (may be taken), or beyond (is not).
#pragma once

#include "analysis/lock_sections.h"
#include "analysis/ucg_window.h"
#include "analysis/witness/run_index.h"
#include "analysis/witness/window.h"
#include "traces/trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle::solver {

/// Bytes of a read that every write of the window covers all of or nothing of.
struct ReadPart {
    std::vector<std::uint8_t> bytes; ///< all have the same last writer at any time
    EventId recorded;                ///< the write that it saw
    std::vector<EventId> good;       ///< writes of the window that it may see, ascending
    std::vector<EventId> bad;   ///< other writes of the window that could come before the read, ascending
    bool base_possible = false; ///< no write of the window must come before it: it may see the base's memory
    bool base_fits = false;     ///< what memory held at the base when recorded is what it saw
    bool base_certain = false;  ///< whatever came before, memory held that at the base
};

/// What a read has to see.
struct ReadRule {
    EventId read;
    std::vector<ReadPart> parts;
};

/// What memory must hold at the base for a read to see it there: this value, or this write.
struct BaseContent {
    bool by_value = true;
    std::uint8_t value = 0;
    EventId write; ///< invalid: what was there at first

    bool operator==(const BaseContent&) const = default;
};

/// A wait for a counted semaphore is allowed when enough of the others' posts come before it and enough of
/// the others' waits after it.
struct CountRule {
    EventId wait;
    std::vector<EventId> posts; ///< of other threads, in the window
    std::vector<EventId> waits;
    std::int64_t needed = 0; ///< so many posts before it, and waits after it or never, together
};

class SolverWindow {
  public:
    SolverWindow(const CausalityGraph& causality, const RunIndex& index, Window window);

    [[nodiscard]] const Trace& trace() const { return run_->trace; }
    [[nodiscard]] EventId base() const { return window_.base; }
    [[nodiscard]] const Window& window() const { return window_; }
    [[nodiscard]] std::size_t size() const { return size_; } ///< events within

    [[nodiscard]] bool before_base(EventId event) const { return event < window_.base; }
    [[nodiscard]] bool within(EventId event) const {
        return !before_base(event) && event < bounds_[thread_of(event).value];
    }
    [[nodiscard]] ThreadId thread_of(EventId event) const { return trace()[event].thread(); }
    /// The event of the same thread before or after it; invalid when there is none.
    [[nodiscard]] EventId previous(EventId event) const;
    [[nodiscard]] EventId next(EventId event) const;
    /// The thread's last event below a bound; invalid when there is none.
    [[nodiscard]] EventId last_below(ThreadId thread, EventId bound) const;
    /// The thread's events from the base on that are part of the window.
    [[nodiscard]] std::span<const EventId> events_of(ThreadId thread) const { return events_[thread.value]; }
    /// The fork that has to be taken before a thread can stand at its first event; else invalid.
    [[nodiscard]] EventId fork_before(EventId first) const;

    /// The events from the base on that must have been taken before it: of each thread the last one.
    [[nodiscard]] const std::vector<EventId>& needs(EventId event);

    [[nodiscard]] const LockSection& section(EventId acquire) const {
        return run_->locks[run_->locks.opened_by(acquire)];
    }
    /// Sections that were entered before the base and not left.
    [[nodiscard]] const std::vector<LockSection>& held_at_base(LockId lock);

    [[nodiscard]] bool counted(EventId wait) const;
    [[nodiscard]] const CountRule& count_rule(EventId wait);

    [[nodiscard]] const ReadRule& read_rule(EventId read);
    /// What a byte of a read needs to find at the base; nothing when no memory of the base would do.
    [[nodiscard]] std::optional<BaseContent> base_content_for(EventId read, std::uint8_t byte) const;

  private:
    void gather(SeedNode node, std::vector<EventId>& last) const;
    [[nodiscard]] EventId recorded_writer(EventId read, std::uint8_t byte) const;
    /// Of a byte at the base, when recorded. `access`: any of the variable from the base on.
    [[nodiscard]] EventId writer_at_base(EventId access, std::uint8_t byte) const;
    [[nodiscard]] std::optional<std::uint8_t> written_by(EventId write, std::uint8_t byte) const;
    [[nodiscard]] bool may_see(EventId read, std::uint8_t byte, EventId writer) const;
    [[nodiscard]] std::vector<EventId> writes_before(EventId read) const;
    [[nodiscard]] ReadRule make_read_rule(EventId read) const;
    [[nodiscard]] CountRule make_count_rule(EventId wait) const;

    std::shared_ptr<const UcgContext> run_;
    const RunIndex& index_;
    Window window_;
    std::size_t size_ = 0;
    std::vector<std::vector<EventId>> events_;                         ///< within, by thread
    std::vector<EventId> bounds_;                                      ///< by thread: events below are within
    std::unordered_map<std::uint32_t, std::vector<EventId>> writes_;   ///< of the window, by variable
    std::unordered_map<std::uint32_t, std::vector<EventId>> needs_;    ///< by event
    std::unordered_map<std::uint32_t, std::vector<LockSection>> held_; ///< by lock
    std::unordered_map<std::uint32_t, CountRule> counts_;              ///< by wait
    std::unordered_map<std::uint32_t, ReadRule> reads_;                ///< by read
};

} // namespace heddle::solver
