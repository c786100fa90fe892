// What every witness of a property has to take, and in which order: the order of data (data_order.h) near the
// property, and what locks and reads ask of the events that must be taken. If these cannot be put in any
// order, there is no witness, wherever it would leave the recorded run. docs/algorithms.md, "The order of
// data".
//
// Each event has a clock: how many events of each thread come before it. Clocks only grow. Costs what the
// events from a little before the property's locks up to it do, a few times.
#pragma once

#include "analysis/property.h"
#include "analysis/ucg_window.h"
#include "analysis/witness/data_order.h"
#include "analysis/witness/run_index.h"
#include "traces/trace.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle {

class ForcedOrder {
  public:
    ForcedOrder(const UcgContext& context, const RunIndex& index, const DataOrder& order,
                const Property& property);

    /// Whether there is no witness of the property. False: nothing is known. `base`: what comes before it is
    /// not looked at, which only leaves more unknown.
    [[nodiscard]] bool contradicts(EventId base, std::size_t max_events);

  private:
    using NodeNumber = std::uint32_t;
    using StrandNumber = std::uint32_t;
    static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

    /// A thread with events after the base that must be taken.
    struct Strand {
        ThreadId thread;
        std::uint32_t begin = 0; ///< of its events, those before the base
        std::uint32_t end = 0;   ///< those that must be taken
        std::vector<NodeNumber> nodes;
        std::vector<std::uint32_t> nodes_before; ///< by event from begin to end: how many nodes come before
    };
    /// An event that locks or memory notice.
    struct Node {
        EventId event;
        StrandNumber strand = 0;
        std::uint32_t index = 0; ///< in its thread
    };
    /// A critical section whose acquire must be taken. What lies before the base has no node.
    struct Section {
        StrandNumber strand = 0;
        bool exclusive = true;
        std::uint32_t acquire = 0; ///< in its thread; the last event before the base: it lies there
        std::uint32_t release = kNone;
        NodeNumber acquire_node = kNone;
        NodeNumber release_node = kNone;
    };
    /// A read of some bytes that sees one very write in every witness; none: nothing was written before.
    struct Sight {
        NodeNumber read = kNone;
        std::uint8_t bytes = 0;
        EventId write;
        ThreadId writer;
        std::uint32_t write_index = 0; ///< in its thread
        NodeNumber write_node = kNone; ///< or it lies before the base
    };
    struct Variable {
        std::vector<Sight> sights;
        std::vector<NodeNumber> writes;
    };

    void set_caps(const Property& property);
    /// So many events of the thread must be taken, and all that these need.
    void require(ThreadId thread, std::uint32_t taken);
    /// How many events of `other` come before the thread has taken so many.
    [[nodiscard]] std::uint32_t needed(ThreadId thread, std::uint32_t taken, ThreadId other) const;
    /// What it reads does not matter.
    [[nodiscard]] bool exempt(ThreadId thread, std::uint32_t index) const;

    // What is to be put in order.
    void make_nodes(EventId base);
    void make_strand(ThreadId thread, EventId base);
    void set_clocks();
    void find_sections();
    void find_sights();
    void add_sights(NodeNumber read, Variable& variable) const;

    // What follows.
    [[nodiscard]] bool settle();
    [[nodiscard]] bool sweep();
    void order_violation();
    void order_sections();
    void order_sections(const Section& one, const Section& other);
    void order_accesses();
    void order_accesses(const Sight& sight, NodeNumber write);

    [[nodiscard]] std::span<std::uint32_t> clock(NodeNumber node) {
        return std::span(ticks_).subspan(node * strands_.size(), strands_.size());
    }
    [[nodiscard]] bool comes_before(StrandNumber strand, std::uint32_t index, NodeNumber node) {
        return clock(node)[strand] > index;
    }
    [[nodiscard]] NodeNumber node_at(ThreadId thread, std::uint32_t index) const;
    /// So many events of the strand come before the node.
    void put_before(StrandNumber strand, std::uint32_t taken, NodeNumber node);

    const UcgContext& context_;
    const Trace& trace_;
    const RunIndex& index_;
    const DataOrder& order_;
    std::vector<std::uint32_t> caps_; ///< by thread: how many events may be taken
    std::vector<std::uint32_t> ends_; ///< likewise: must be
    bool is_violation_ = false;
    DataOrder::Place first_; ///< of an atomicity violation
    DataOrder::Place remote_;
    DataOrder::Place second_;

    std::vector<Strand> strands_;
    std::vector<StrandNumber> strand_of_;                              ///< by thread
    std::vector<Node> nodes_;                                          ///< in the recorded order
    std::vector<std::uint32_t> ticks_;                                 ///< clocks: by node and strand
    std::unordered_map<std::uint32_t, std::vector<Section>> sections_; ///< by lock
    std::unordered_map<std::uint32_t, Variable> variables_;
    bool contradiction_ = false;
    bool grown_ = false;   ///< more events must be taken than there are nodes for
    bool changed_ = false; ///< a clock
};

} // namespace heddle
