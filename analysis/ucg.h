// The Universal Causality Graph (seed 000: Kahlon and Wang, CAV 2010): which properties no schedule of the
// run can reach, and why. The graph holds what must come before what if the property is to be reached:
// program order, seed edges (§3.2, seed_edges.h), the property's own edges (§3.1), and the order of critical
// sections that these induce (Algorithm 1, with causality chains for n threads, §3.4). A cycle refutes the
// property.
//
// For two threads an acyclic graph means that the property is feasible; for more it may be infeasible
// nonetheless. A feasible property is never refuted. docs/algorithms.md says where this departs from the
// paper.
//
// The constructor is O(events × locks held at once + seed edges log seed edges); a query costs what lies
// between the property and the last causality barrier before it (§4). Any number of threads may ask while
// nobody extends. Expects a trace that keeps the rules (traces/rules.h).
#pragma once

#include "analysis/property.h"
#include "analysis/seed_edges.h"
#include "traces/trace.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

enum class CycleReason : std::uint8_t {
    program_order,
    seed, ///< forced by a primitive other than a lock
    lock, ///< two critical sections of `lock`, in the only order left; `from` ends the first, `to` begins the
          ///< second
    semaphore, ///< the count would not suffice otherwise
    property,  ///< what the property asks for
};

/// `from` must come before `to`.
struct CycleEdge {
    EventId from;
    EventId to;
    CycleReason reason = CycleReason::program_order;
    SeedKind seed = SeedKind::fork; ///< of a seed
    LockId lock;                    ///< of a lock
    EventId section;                ///< of a lock: the acquire of the section that `from` ends

    bool operator==(const CycleEdge&) const = default;
};

struct UcgVerdict {
    bool feasible = true; ///< not refuted
    bool complete = true; ///< false: the window was larger than allowed, and feasible is a guess
    std::vector<CycleEdge>
        cycle; ///< each edge begins where the one before it ends, the first where the last ends
};

/// A property's graph as a value: each of its synchronisation events, and of its own, with what must come
/// before it.
struct UcgProjection {
    /// The event comes after the events of `thread` with a smaller id than `bound`.
    struct After {
        ThreadId thread;
        std::uint32_t bound = 0;

        bool operator==(const After&) const = default;
    };
    struct Node {
        EventId event;
        std::vector<After> after; ///< ascending by thread, of other threads; what the barrier covers left out

        bool operator==(const Node&) const = default;
    };

    std::vector<Node> nodes; ///< ascending by event

    /// Brings all into the order said above, each node once.
    void sort();

    bool operator==(const UcgProjection&) const = default;
};

class CausalityGraph {
  public:
    CausalityGraph(); ///< of an empty run
    explicit CausalityGraph(const Trace& trace);

    /// Takes the events after those of the call before, whose trace this one must extend, in two steps: what
    /// is forced, then what queries need besides. No query in between, nor while copies of this object are
    /// asked. extend_seeds() is false when earlier events are concerned: then make a new graph.
    [[nodiscard]] bool extend_seeds(const Trace& trace);
    void extend_rest();
    [[nodiscard]] const SeedEdges& seeds() const;

    static constexpr std::size_t kMaxWindow = 1'000'000;

    /// `max_window`: how many synchronisation events it may look at; with more it gives up.
    [[nodiscard]] UcgVerdict decide(const Property& property, std::size_t max_window = kMaxWindow) const;

    /// How many events (and joints) the property's window holds, which is what deciding it costs. For
    /// measurements.
    [[nodiscard]] std::size_t window_size(const Property& property) const;

    /// The property's graph, from its last causality barrier on. Nothing when it is refuted, or not complete.
    [[nodiscard]] std::optional<UcgProjection> projection(const Property& property) const;

    /// As decide(), without chopping: from the start of the run. For tests of the chopping.
    [[nodiscard]] UcgVerdict decide_unchopped(const Property& property) const;

    /// What all queries share.
    [[nodiscard]] std::shared_ptr<const struct UcgContext> context() const { return context_; }

  private:
    std::shared_ptr<struct UcgContext> context_;
};

/// The cycle in words, one edge a line. Empty when there is none.
[[nodiscard]] std::string explain(const Trace& trace, const UcgVerdict& verdict);

} // namespace heddle
