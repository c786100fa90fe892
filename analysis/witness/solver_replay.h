// For the solver: runs a solution of the formula (solver_formula.h) and tells the schedule, if it keeps all
// rules, or which rules it breaks.
//
// A solution takes more than the property needs. So the replay begins with what the property names, and
// takes more of the solution only where a step would not be allowed, or not see what it saw, without it.
#pragma once

#include "analysis/property.h"
#include "analysis/witness/solver_formula.h"
#include "analysis/witness/solver_window.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle::solver {

struct BrokenRules {
    std::vector<std::pair<EventId, EventId>> needs; ///< an event, and what it has to wait for
    std::vector<std::pair<LockSection, LockSection>> exclusions;
    std::vector<EventId> counts; ///< waits for semaphores
    std::vector<EventId> reads;

    [[nodiscard]] bool empty() const {
        return needs.empty() && exclusions.empty() && counts.empty() && reads.empty();
    }
};

class Replay {
  public:
    /// The formula has a solution for the property.
    Replay(SolverWindow& window, const Formula& formula, const Property& property, BaseMemory memory);

    /// The steps, in order, unless rules are broken.
    void run();
    [[nodiscard]] const std::vector<EventId>& steps() const { return steps_; }
    [[nodiscard]] const BrokenRules& broken() const { return broken_; }

  private:
    using Writers = std::array<EventId, 8>; ///< by byte; invalid: what was there at the base
    using Memory = std::unordered_map<std::uint32_t, Writers>;

    void line_up(std::vector<Placed> placed);
    void look_at_all();
    void begin();
    void need(EventId event);
    void attempt();

    // Each is about the next step.
    void check_needs(EventId event);
    void check_lock(EventId acquire);
    void check_count(EventId wait);
    void check_read(EventId read);
    void apply(EventId event);

    [[nodiscard]] bool in_solution_before(EventId event, EventId other) const;
    [[nodiscard]] bool reached(EventId event) const;
    [[nodiscard]] bool sees(const ReadRule& rule, std::size_t part, EventId writer) const;
    [[nodiscard]] static EventId writer_of(const Memory& memory, std::uint32_t variable,
                                           const ReadPart& part);
    void write(Memory& memory, EventId event) const;
    std::vector<LockSection>& holders(LockId lock);

    SolverWindow& window_;
    const Formula& formula_;
    BaseMemory memory_at_base_;
    std::optional<AtomicityViolation> violation_;
    std::vector<EventId> stops_;

    std::vector<EventId> line_;                           ///< the whole solution
    std::unordered_map<std::uint32_t, std::size_t> rank_; ///< in the line, by event
    std::unordered_map<std::uint32_t, std::vector<EventId>>
        seen_; ///< in the line: by read, by part, whose write

    std::vector<EventId> needed_; ///< by thread: its events below
    bool grown_ = false;          ///< needed_, in this attempt

    // The state of an attempt.
    std::vector<EventId> steps_;
    std::vector<EventId> reached_; ///< by thread: its events below were taken
    std::unordered_map<std::uint32_t, std::vector<LockSection>> locks_;
    Memory memory_;
    bool remote_faithful_ = true;
    BrokenRules broken_;
};

} // namespace heddle::solver
