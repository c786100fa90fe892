// What all properties of a segment share in the Universal Causality Graph (seed 000, §3.5): synchronisation
// seed edges and the order of critical sections that these induce among themselves, without any property.
//
// A segment reaches from a causality barrier to a point of the run. Its nodes are the synchronisation events
// in between. Each has three clocks, by strand (a thread of the segment) as bounds on event ids:
//   hard     what must come before it by seed edges and program order alone;
//   shared   the same with the edges that rules 14 to 16 induce, closed under chains;
//   proviso  how far threads must run for `shared` to hold. An induced edge into an acquire may rest on an
//            event later in that section: a schedule that stops before that event need not keep it.
// All of this the recorded run itself has kept, so edges lead forward in it and there is no cycle.
//
// Counted semaphores take part with their seed edges only; the rest is for each property. O(nodes × strands)
// memory; time O(nodes × strands) for each growth at worst, in practice a few passes. Immutable after
// construction.
#pragma once

#include "analysis/ucg_window.h"

#include <span>
#include <unordered_map>
#include <vector>

namespace heddle {

class UcgSegment {
  public:
    using StrandIndex = std::uint32_t;
    using RowIndex = std::uint32_t;
    static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

    /// A thread's part: rows [first_row, first_row + ids.size()), one for each synchronisation event.
    struct Strand {
        ThreadId thread;
        Bound base = 0; ///< events below were taken before
        RowIndex first_row = 0;
        std::span<const Bound> ids; ///< of the context's skeleton

        /// How many of its rows lie below a bound.
        [[nodiscard]] std::uint32_t rows_below(Bound bound) const;
    };

    /// `base`: by thread, a causality barrier. The segment holds the events from there and below `end`.
    UcgSegment(const UcgContext& context, std::vector<Bound> base, Bound end);

    /// What a segment would hold: its clocks have a component for each pair of a node and a strand.
    struct Size {
        std::size_t nodes = 0;
        std::size_t strands = 0;
    };
    [[nodiscard]] static Size size_of(const UcgContext& context, std::span<const Bound> base, Bound end);

    [[nodiscard]] std::span<const Bound> base() const { return base_; }
    [[nodiscard]] Bound end() const { return end_; }
    [[nodiscard]] std::span<const Strand> strands() const { return strands_; }
    [[nodiscard]] StrandIndex strand_of(ThreadId thread) const { return strand_index_[thread.value]; }

    // Of a node: by strand, in its own place the event's id + 1.
    [[nodiscard]] std::span<const Bound> hard(RowIndex row) const { return clock(hard_, row); }
    [[nodiscard]] std::span<const Bound> shared(RowIndex row) const { return clock(shared_, row); }
    [[nodiscard]] std::span<const Bound> proviso(RowIndex row) const { return clock(proviso_, row); }
    /// Sections open before, at or after the event, one that it ends included.
    [[nodiscard]] std::span<const std::uint32_t> held(RowIndex row) const {
        return {held_.data() + held_start_[row], held_start_[row + 1] - held_start_[row]};
    }

  private:
    struct Place {
        Bound id = 0;
        StrandIndex strand = 0;
        RowIndex row = 0;
    };
    /// The order of sections that an event within the later one forces.
    struct Induced {
        RowIndex acquire = 0;
        RowIndex because = 0;
    };

    void lay_out();
    void find_held();
    void find_hard();
    void find_shared();
    void find_provisos();
    [[nodiscard]] std::vector<Bound>& joint_clock(SeedNode joint);
    void join_sources(std::span<Bound> clock, SeedNode target);
    void order_sections(const Place& place);
    void add_edge(EventId from, StrandIndex from_strand, const Place& acquire, RowIndex because);
    [[nodiscard]] bool add_proviso(const Place& place, std::span<const Induced> induced);
    [[nodiscard]] RowIndex row_of(StrandIndex strand, Bound id) const;

    [[nodiscard]] std::span<Bound> clock(std::vector<Bound>& rows, RowIndex row) const {
        return {rows.data() + std::size_t{row} * strands_.size(), strands_.size()};
    }
    [[nodiscard]] std::span<const Bound> clock(const std::vector<Bound>& rows, RowIndex row) const {
        return {rows.data() + std::size_t{row} * strands_.size(), strands_.size()};
    }

    const UcgContext& context_;
    std::vector<Bound> base_; ///< by thread
    Bound end_;
    std::vector<Strand> strands_;
    std::vector<StrandIndex> strand_index_; ///< by thread
    std::vector<Place> order_;              ///< all rows in the order of the run
    std::vector<std::uint32_t> place_of_;   ///< by row: into order_
    std::vector<Bound> hard_;               ///< row-major, like the next two
    std::vector<Bound> shared_;
    std::vector<Bound> proviso_;
    std::vector<std::uint32_t> held_;
    std::vector<std::size_t> held_start_;

    // While building.
    std::unordered_map<SeedNode, std::vector<Bound>> joint_clocks_;
    std::vector<std::uint32_t> changed_; ///< a heap of places whose rules must be looked at again
    std::vector<bool> queued_;           ///< by place
    std::vector<Induced> induced_;
};

} // namespace heddle
