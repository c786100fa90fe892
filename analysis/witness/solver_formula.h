// For the solver: the rules of a window (solver_window.h) and what properties ask for, as a Z3 formula over
// the order of events.
//
// An event that the formula speaks of has an order variable; those of one thread ascend. An event is taken
// iff it comes before the *end*. So a prefix of each thread is taken, and a critical section that is entered
// and not left blocks others by itself, because its release comes after the end. Only strict comparisons are
// asserted: events that the solution leaves equal may be put in any order.
//
// Functions may throw z3::exception.
#pragma once

#include "analysis/property.h"
#include "analysis/ucg.h"
#include "analysis/witness/solver_window.h"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <z3++.h>

namespace heddle::solver {

/// What memory holds at the base.
enum class BaseMemory : std::uint8_t {
    recorded,
    any, ///< whatever reads need, but the same for all of them
};

/// A property as an assumption.
struct Goal { // NOLINT(cppcoreguidelines-pro-type-member-init): expressions have no default
    z3::expr literal;
    EventId second; ///< of an atomicity violation: it may see anything
    EventId remote; ///< likewise, if its thread goes no further
    z3::expr bound; ///< assumed: if that thread goes on, the remote access has to be faithful
};

/// An event that a solution takes.
struct Placed {
    EventId event;
    std::int64_t when = 0;
};

class Formula {
  public:
    explicit Formula(SolverWindow& window);

    // --- rules: false when it was stated before ---
    bool state_need(EventId event, EventId need);
    bool state_exclusion(const LockSection& one, const LockSection& other);
    bool state_count(EventId wait);
    bool state_read(EventId read);
    /// Clauses so far, roughly.
    [[nodiscard]] std::size_t size() const { return size_; }

    // --- properties ---
    [[nodiscard]] Goal aim(const Property& property);
    /// The property's clocks: they hold in every schedule that reaches it.
    void state_lemmas(const Goal& goal, const UcgProjection& lemmas);
    /// No more questions about this property.
    void retire(const Goal& goal) { solver_.add(!goal.literal); }

    // --- questions ---
    /// `effort`: in Z3's units. `faithful`: the reads that have to be; unless told, all that were stated.
    [[nodiscard]] z3::check_result check(const Goal& goal, BaseMemory memory, std::uint64_t effort);
    [[nodiscard]] z3::check_result check(const Goal& goal, BaseMemory memory, std::uint64_t effort,
                                         std::span<const EventId> faithful);
    /// Z3's units of work since the formula was made.
    [[nodiscard]] std::uint64_t effort() const;
    /// After a solution: the events taken that have an order variable, by when.
    [[nodiscard]] std::vector<Placed> placed() const;
    /// After a solution: whether a part of a stated read may see the memory of the base.
    [[nodiscard]] bool sees_base(EventId read, std::size_t part) const;
    /// After unsat: the reads that contradict the property, ascending. Not the fewest.
    [[nodiscard]] std::vector<EventId> contradicting_reads(const Goal& goal) const;
    [[nodiscard]] bool contradicts_recorded_memory() const;

    [[nodiscard]] z3::context& context() { return context_; }

  private:
    [[nodiscard]] z3::expr order(EventId event);
    [[nodiscard]] z3::expr taken(EventId event);
    [[nodiscard]] z3::expr precedes(EventId first, EventId second); ///< both within the window
    [[nodiscard]] z3::expr before(EventId first, EventId second);   ///< provided that the second is taken
    [[nodiscard]] z3::expr fresh_bool();
    [[nodiscard]] z3::expr fresh_int();
    [[nodiscard]] z3::expr guard(EventId read);
    void add(const z3::expr& clause);
    [[nodiscard]] bool in_core(const z3::expr& assumption) const;
    [[nodiscard]] z3::expr at_least(std::size_t count, const std::vector<z3::expr>& literals);

    void state_part(EventId read, const ReadPart& part);
    [[nodiscard]] z3::expr base_choice(EventId read, const ReadPart& part);
    [[nodiscard]] z3::expr base_holds(VarId variable, std::uint8_t byte, const BaseContent& content);

    void aim_stop(const z3::expr& literal, EventId stop);
    void aim_violation(Goal& goal, const AtomicityViolation& violation);

    SolverWindow& window_;
    z3::context context_;
    z3::solver solver_;
    z3::expr end_;
    z3::expr recorded_; ///< assumed: memory at the base is as recorded
    std::size_t size_ = 0;
    unsigned names_ = 0;

    std::map<EventId, z3::expr> orders_;
    std::vector<std::set<EventId>> ordered_;                ///< by thread: its events with an order variable
    std::map<EventId, z3::expr> guards_;                    ///< of reads: it has to be faithful
    std::map<EventId, std::vector<z3::expr>> base_choices_; ///< of stated reads, by part
    std::set<std::pair<EventId, EventId>> needs_;
    std::set<std::pair<EventId, EventId>> exclusions_; ///< by acquires
    std::set<EventId> counts_;
    /// By variable and byte: what memory may hold there at the base.
    std::map<std::pair<std::uint32_t, std::uint8_t>, std::vector<std::pair<BaseContent, z3::expr>>> contents_;
};

} // namespace heddle::solver
