// The truth about witnesses of small traces, by brute force from docs/algorithms.md, "Witnesses", alone: as
// oracle.h, which it asks what synchronisation allows, but it also remembers what memory holds. It shares no
// code with the search, nor with the checker.
//
// What may happen next depends on how far each thread is and on the last writer of each byte; of a writer it
// matters only which reads it satisfies. So that is what a state holds. States are found as they are asked
// for. Traces must keep the rules (traces/rules.h). Not safe to share between threads.
//
// A reading of the definition: a read-modify-write that need not be faithful, and is not, writes nobody knows
// what, so no read may see it that has to be faithful.
#pragma once

#include "analysis/property.h"
#include "analysis/witness/schedule.h"
#include "oracle.h"
#include "traces/trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle::testing_support {

class WitnessOracle {
  public:
    static constexpr std::size_t kMaxStates = 1'000'000;

    explicit WitnessOracle(const Trace& trace, std::size_t max_states = kMaxStates);

    /// Knows only of witnesses that at some time have taken exactly the events before `base`: in the recorded
    /// order, or in any faithful one. Switches count from there.
    enum class Beginning : std::uint8_t { as_recorded, any };
    WitnessOracle(const Trace& trace, EventId base, Beginning beginning);

    /// What synchronisation alone allows, and all properties of the trace.
    [[nodiscard]] const Oracle& synchronisation() const { return oracle_; }

    /// Whether there were more states than allowed; then nothing but is_witness() is known.
    [[nodiscard]] bool too_large() const { return too_large_; }

    /// Whether a witness exists.
    [[nodiscard]] bool witnessed(const Property& property) { return fewest_switches(property).has_value(); }

    /// How often two consecutive steps are of different threads, in the witness where that is least; nothing
    /// when there is no witness. All steps count, from the start of the run.
    [[nodiscard]] std::optional<std::size_t> fewest_switches(const Property& property);

    /// For any trace, however large.
    [[nodiscard]] bool is_witness(const Property& property, const Schedule& schedule) const;

  private:
    using Positions = Oracle::Positions;
    using Class = std::uint32_t;       ///< of contents: those that satisfy the same reads
    using StateId = std::uint32_t;     ///< in order of discovery
    using Memory = std::vector<Class>; ///< by cell

    /// Bytes of a variable that every access touches together or not at all.
    struct Cell {
        std::uint32_t variable = 0;
        std::uint8_t offset = 0;
        std::uint8_t size = 0;
        Class unknown = 0; ///< content that satisfies no read
    };
    /// An access as far as one cell is concerned. Class 0 is what memory holds at the start.
    struct Touch {
        std::size_t cell = 0;
        Class writes = 0;          ///< content that a write leaves
        std::vector<bool> may_see; ///< of a read: by class
    };
    struct State {
        Positions positions;
        Memory memory;
        /// By thread: the state after its next event; kBlocked when it may not be taken or would see
        /// something else; kUnknown until somebody asks.
        std::vector<StateId> next;
    };
    static constexpr StateId kBlocked = 0xFFFF'FFFF;
    static constexpr StateId kUnknown = 0xFFFF'FFFE;

    /// A state, and who made the last step; as many as there are threads: nobody.
    struct Node {
        StateId state = 0;
        std::size_t last = 0;
    };
    /// Least switches by node; kFar where none leads.
    using Distances = std::vector<std::uint32_t>;
    static constexpr std::uint32_t kFar = 0xFFFF'FFFF;
    struct Seed {
        Node node;
        std::uint32_t distance = 0;
    };

    void begin_at(EventId base, Beginning beginning);
    void find_cells();
    void find_touches(std::size_t cell);

    [[nodiscard]] bool sees_what_it_saw(EventId event, const Memory& memory) const;
    void write(EventId event, bool faithful, Memory& memory) const;
    [[nodiscard]] EventId next_event(std::size_t thread, const Positions& positions) const;

    [[nodiscard]] StateId state_of(Positions positions, Memory memory);
    /// The state after an event that is allowed.
    [[nodiscard]] StateId after(StateId state, EventId event, bool faithful);
    [[nodiscard]] StateId successor(StateId state, std::size_t thread);

    /// Least switches from the seeds to everywhere. `frozen` takes no step, `barred` is not taken.
    [[nodiscard]] Distances spread(std::span<const Seed> seeds, std::size_t frozen, EventId barred);
    [[nodiscard]] std::optional<std::size_t> to_all_next(std::span<const EventId> events) const;
    [[nodiscard]] std::optional<std::size_t> to_violation(const AtomicityViolation& violation);
    [[nodiscard]] std::size_t thread_of(EventId event) const { return trace_[event].thread().value; }
    [[nodiscard]] std::uint32_t switches(std::size_t last, std::size_t thread) const {
        return last == thread || last == nobody() ? 0U : 1U;
    }
    [[nodiscard]] std::size_t nobody() const { return trace_.thread_count(); }
    [[nodiscard]] std::size_t index(Node node) const { return node.state * (nobody() + 1) + node.last; }

    Trace trace_;
    Oracle oracle_;
    std::size_t max_states_;
    bool too_large_ = false;
    std::vector<Cell> cells_;
    std::vector<std::vector<Touch>> touches_; ///< by event
    std::vector<State> states_;
    std::unordered_map<std::u32string, StateId> ids_; ///< by positions and memory
    Distances from_start_;                            ///< from all beginnings
    Positions begin_;                                 ///< what has been taken there
};

} // namespace heddle::testing_support
