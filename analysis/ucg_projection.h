// One property's projection of a segment's graph (ucg_segment.h): what the property adds to the clocks that
// all properties share, and whether that makes a cycle. The same graph as the property's own window
// (ucg_window.h), but only what the property changes is touched.
//
// A clock of the projection is the largest of
//   - the shared clock, where its proviso lies within what the property makes run; else the hard clock;
//   - the *steps* that the property adds: from some event of a strand on, all its events come after so and so
//     much of another strand.
// An edge is added together with all its consequences along chains, which are steps again: one for each pair
// of strands at most. Steps are what carries the property's name: all else in the graph is nobody's own.
//
// Not safe to share between threads. A solver can be used for one property after another.
#pragma once

#include "analysis/ucg_segment.h"

#include <span>
#include <vector>

namespace heddle {

class UcgProjector {
  public:
    enum class Outcome : std::uint8_t {
        feasible,
        refuted,
        elsewhere, ///< the property needs events beyond the segment
    };

    explicit UcgProjector(const UcgContext& context) : context_(context) {}

    /// `barrier`: of the property, by thread. The segment must begin at or before it.
    [[nodiscard]] Outcome solve(const UcgSegment& segment, const Property& property,
                                const CausalityBarrier& barrier);

    /// After solve() said feasible: the property's graph above its barrier.
    [[nodiscard]] UcgProjection projection() const;

  private:
    using StrandIndex = UcgSegment::StrandIndex;
    using RowIndex = UcgSegment::RowIndex;

    struct Step {
        Bound from = 0; ///< an event of the strand
        Bound value = 0;
    };
    /// A clock component is larger from an event on: the rules have to be looked at there.
    struct Growth {
        StrandIndex strand = 0;
        Bound from = 0;
        StrandIndex other = 0;
        Bound value = 0;
    };
    struct Strand {
        Bound need = 0;          ///< events below must be taken
        Bound cap = kNoBound;    ///< events from here on are not taken
        std::uint32_t rows = 0;  ///< that lie below `need`
        std::uint32_t clean = 0; ///< rows below have their shared clock, the others up to `rows` the hard one
    };
    /// An edge that the property asks for.
    struct Asked {
        EventId from;
        EventId to;
    };

    // --- the property ------------------------------------------------------------------------------
    void aim(const Race& race);
    void aim(const AtomicityViolation& violation);
    void aim(const Deadlock& deadlock);
    void stop_at(std::span<const EventId> stops);
    [[nodiscard]] StrandIndex strand_of(EventId event) const;

    // --- what must run -----------------------------------------------------------------------------
    void begin();
    void require(StrandIndex strand, Bound bound);
    void require_before(StrandIndex strand, std::span<const Bound> clock);
    void take_rows(StrandIndex index);
    void extend_clean(StrandIndex index);
    void look_at_rows(StrandIndex index, std::uint32_t from);
    void catch_up(StrandIndex index, std::uint32_t from);

    // --- clocks ------------------------------------------------------------------------------------
    [[nodiscard]] std::vector<Step>& steps(StrandIndex strand, StrandIndex other) {
        return steps_[strand * strands_.size() + other];
    }
    [[nodiscard]] const std::vector<Step>& steps(StrandIndex strand, StrandIndex other) const {
        return steps_[strand * strands_.size() + other];
    }
    [[nodiscard]] std::span<const Bound> row_clock(StrandIndex strand, std::uint32_t row) const;
    [[nodiscard]] Bound clock(StrandIndex strand, Bound event, StrandIndex other) const;
    [[nodiscard]] std::span<const Bound> clock_of(StrandIndex strand, Bound event);
    [[nodiscard]] Bound stepped(StrandIndex strand, Bound event, StrandIndex other) const;
    [[nodiscard]] std::uint32_t first_row_after(StrandIndex index, std::uint32_t from, StrandIndex other,
                                                Bound event) const;
    [[nodiscard]] Bound first_after(StrandIndex strand, StrandIndex other, Bound event) const;
    void edge(StrandIndex from_strand, Bound from, StrandIndex to_strand, Bound to);
    void come_after(StrandIndex strand, Bound event, std::span<const Bound> added);
    void raise(StrandIndex strand, Bound from, StrandIndex other, Bound value);

    // --- the rules ---------------------------------------------------------------------------------
    void settle();
    void order_sections(const Growth& growth);
    void order_unreleased();
    void section_before(const LockSection& first, StrandIndex first_strand, const LockSection& second,
                        StrandIndex second_strand);
    /// Calls visit(section) for the sections that are open at an event or end with it.
    template<typename Visit>
    void for_each_held(StrandIndex strand, Bound event, Visit visit) const;

    // --- counted semaphores (ucg_projection_semaphores.cpp) ------------------------------------------
    struct Stretch {
        const SemaphoreColumn* column = nullptr;
        StrandIndex strand = 0; ///< none: beyond the segment
        std::size_t from = 0;
        std::size_t to = 0;
        std::int64_t best = 0;
    };
    [[nodiscard]] bool apply_semaphores();
    [[nodiscard]] bool apply_semaphore(StrandIndex own, Bound wait, const CountedSemaphore& semaphore);
    [[nodiscard]] Stretch stretch_of(const SemaphoreColumn& column, StrandIndex own, Bound wait) const;

    const UcgContext& context_;
    const UcgSegment* segment_ = nullptr;
    const CausalityBarrier* barrier_ = nullptr;
    std::vector<Strand> strands_;
    std::vector<std::vector<Step>> steps_; ///< by strand and other strand; ascending in both members
    std::vector<Growth> growths_;          ///< to be looked at
    std::vector<Asked> asked_;
    std::vector<EventId> extra_; ///< events of the property that are no synchronisation
    std::vector<Bound> clock_;   ///< what clock_of() gave last
    Outcome outcome_ = Outcome::feasible;
    bool begun_ = false;
};

} // namespace heddle
