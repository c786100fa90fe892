// One property's part of the Universal Causality Graph, from the last causality barrier to the property
// (ucg.h).
//
// Each node (a synchronisation event, an event of the property, or a joint) has a clock: for each thread how
// many of its events must come before. Clocks only grow and are closed under chains, so the fixpoint of
// Algorithm 1 is reached by a worklist, and a cycle shows as an event that must come before itself. Every
// growth remembers why.
//
// What is not fixed by the property need not run: a thread that it does not name runs only as far as
// something that must run needs it to, and its critical sections constrain nothing before that.
#pragma once

#include "analysis/causality_barrier.h"
#include "analysis/lock_sections.h"
#include "analysis/ucg.h"

#include <array>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle {

/// What all properties of a run share.
struct UcgContext {
    /// The trace must extend the one of the call before. False: this is of no more use, see
    /// SeedEdges::extend.
    bool extend_seeds(const Trace& longer);
    /// To be called after extend_seeds(); nothing may be asked before.
    void extend_rest();

    Trace trace;
    SeedEdges seeds;
    LockSections locks;
    std::vector<std::vector<Bound>> skeleton; ///< by thread: its events that matter here, ascending
    BarrierFinder barriers;

  private:
    void extend_skeleton();

    // Of the skeleton.
    std::size_t taken_ = 0; ///< events
    std::size_t synchronisation_taken_ = 0;
    std::size_t edges_taken_ = 0;
    std::size_t joint_edges_taken_ = 0;
};

/// The last barrier before a property.
[[nodiscard]] CausalityBarrier barrier_of(const UcgContext& context, const Property& property);

class UcgWindow {
  public:
    UcgWindow(const UcgContext& context, const Property& property);
    /// From a barrier that lies before the property.
    UcgWindow(const UcgContext& context, const Property& property, CausalityBarrier barrier);

    [[nodiscard]] UcgVerdict decide(std::size_t max_nodes);
    [[nodiscard]] std::size_t node_count() const { return nodes_.size(); }
    /// After decide(), if that was complete.
    [[nodiscard]] UcgProjection projection() const;

  private:
    using NodeIndex = std::uint32_t;
    using StrandIndex = std::uint32_t;
    static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

    struct Why {
        CycleReason reason = CycleReason::program_order;
        SeedKind seed = SeedKind::fork;
        LockId lock;
        EventId section;
    };
    /// A component of a clock grew: inherited from the event before, by an edge from the event `value - 1`,
    /// or because it comes after node `via`, whose clock had it.
    struct Growth {
        enum class How : std::uint8_t { inherited, edge, after };
        StrandIndex strand = kNone;
        Bound value = 0;
        How how = How::inherited;
        NodeIndex via = kNone;
        Why why;
        std::uint32_t next = kNone; ///< of the node's growths
    };
    /// A list within one of the pools below: they grow all the time, and most windows are tiny.
    struct List {
        std::uint32_t first = kNone;
        std::uint32_t last = kNone;
    };
    struct Feed {
        NodeIndex to = kNone;
        std::uint32_t next = kNone;
    };
    struct Node {
        SeedNode id = 0;
        StrandIndex strand = kNone; ///< none: a joint
        NodeIndex before = kNone;   ///< of the strand
        NodeIndex next = kNone;     ///< likewise
        Bound turn = 0;             ///< nodes are visited in the order of the run; a joint after its sources
        bool queued = false;
        std::uint32_t held_from = 0; ///< sections open before, at or after the event, one it ends included
        std::uint32_t held_count = 0;
        List feeds; ///< joints that wait for it; of a joint: nodes that wait for it
        List growths;
    };
    /// Why a thread has to run at least so far: `source` precedes `target`. No target: the property says so,
    /// or it needs the thread of `stop` begun, for which `source` is the fork.
    struct Need {
        Bound bound = 0;
        SeedNode source = 0;
        NodeIndex target = kNone;
        Why why;
        EventId stop;
        std::uint32_t next = kNone; ///< of the strand's needs
    };
    struct Strand {
        ThreadId thread;
        Bound base = 0;             ///< events below were taken before the window
        Bound need = 0;             ///< events below must be taken
        Bound cap = kNoBound;       ///< events from here on are not taken
        EventId stop;               ///< of a thread that the property fixes: where it stands at the end
        std::size_t next = 0;       ///< of the skeleton to become a node
        std::size_t next_extra = 0; ///< likewise
        std::array<Bound, 2> extra = {kNoBound, kNoBound}; ///< events of the property
        std::vector<NodeIndex> nodes;
        List needs;
    };

    // --- the property ------------------------------------------------------------------------------
    void aim(const Race& race);
    void aim(const AtomicityViolation& violation);
    void aim(const Deadlock& deadlock);
    void stop_at(const std::vector<EventId>& stops);
    [[nodiscard]] StrandIndex strand_of(ThreadId thread);
    void widen_clocks();

    // --- the graph ---------------------------------------------------------------------------------
    [[nodiscard]] NodeIndex node_of(StrandIndex strand, Bound id) const;
    [[nodiscard]] NodeIndex joint_node(SeedNode id, NodeIndex target);
    /// Makes the strand run up to `need.bound`; false if the property stops it before.
    bool require(StrandIndex index, const Need& need);
    [[nodiscard]] Bound next_of(const Strand& strand) const;
    /// Makes nodes of the strand's events below `bound`. The rest is made in the order of the run, so that a
    /// property that is refuted early costs little.
    void append_until(StrandIndex index, Bound bound);
    void append(StrandIndex index, Bound id);
    void edge(EventId from, NodeIndex to, const Why& why);
    [[nodiscard]] Bound& clock(NodeIndex node, StrandIndex other) {
        return clocks_[std::size_t{node} * stride_ + other];
    }
    [[nodiscard]] Bound clock(NodeIndex node, StrandIndex other) const {
        return clocks_[std::size_t{node} * stride_ + other];
    }
    [[nodiscard]] std::span<const std::uint32_t> held(NodeIndex node) const {
        return {held_.data() + nodes_[node].held_from, nodes_[node].held_count};
    }
    NodeIndex add_node(const Node& node);
    template<typename Row>
    static void append(std::vector<Row>& pool, List& list, const Row& row);
    void add_feed(NodeIndex from, NodeIndex to);
    void remember(NodeIndex node, const Growth& growth);
    void come_after(NodeIndex node, NodeIndex other);
    void grow(NodeIndex index, const Growth& growth);
    void enqueue(NodeIndex index);

    // --- the rules ---------------------------------------------------------------------------------
    [[nodiscard]] bool append_next();
    /// To the fixpoint, or until the graph has more nodes than allowed: then it is not reached.
    [[nodiscard]] bool settle();
    void add_seeds(NodeIndex node);
    void add_unreleased(NodeIndex acquire);
    void section_before(const LockSection& first, StrandIndex first_strand, const LockSection& second,
                        StrandIndex second_strand);
    void spread(NodeIndex index);
    void visit(NodeIndex node);
    void order_sections(NodeIndex index);
    bool apply_semaphores();
    bool apply_semaphore(NodeIndex wait, const CountedSemaphore& semaphore);

    // --- the reason (ucg_cycle.cpp) ------------------------------------------------------------------
    struct Link {
        SeedNode from = 0;
        SeedNode to = 0;
        Why why;
    };
    void refute_by_cycle(NodeIndex node);
    void refute_by_stop(StrandIndex stopped, const Need& need);
    void refute_by_holds(const LockSection& a, const LockSection& b);
    void refute_by_count(NodeIndex wait);
    void add_path(std::vector<Link>& path, NodeIndex to, StrandIndex strand, Bound from) const;
    void close(std::vector<Link> path);

    const UcgContext& context_;
    CausalityBarrier barrier_;
    std::vector<Strand> strands_;
    std::vector<Node> nodes_;
    std::vector<Bound> clocks_;       ///< by node, then by strand
    std::size_t stride_ = 4;          ///< room for strands in a clock
    std::vector<std::uint32_t> held_; ///< of all nodes
    std::vector<Feed> feeds_;         ///< likewise
    std::vector<Growth> growths_;     ///< likewise
    std::vector<Need> needs_;         ///< of all strands
    std::unordered_map<SeedNode, NodeIndex> joints_;
    std::vector<std::pair<EventId, EventId>> asked_;   ///< edges of the property
    NodeIndex fresh_ = 0;                              ///< nodes from here on have no seed edges yet
    std::vector<std::pair<Bound, NodeIndex>> changed_; ///< a heap by turn
    std::vector<std::uint32_t> unreleased_;            ///< sections that must be entered and are not left
    std::vector<NodeIndex> waits_;                     ///< on counted semaphores
    std::size_t next_wait_ = 0;                        ///< to look at
    std::size_t max_nodes_ = 0;
    std::optional<std::vector<CycleEdge>> refuted_;
};

} // namespace heddle
