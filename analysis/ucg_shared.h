// One Universal Causality Graph for many properties (seed 000, §3.5). Properties come and go; each gets the
// verdict and the graph that it would have alone (CausalityGraph), while they share
//   - the whole graph, when no synchronisation event lies between them: such properties have one *shape*;
//   - synchronisation edges and what these induce (ucg_segment.h), when their windows overlap. Windows that
//     do not overlap are in different segments and never see each other (§4).
// Windows of a few events are solved as they are: there is nothing in them to share.
//
// Adding a property touches nothing but its own shape; a segment is built when a first verdict of its
// properties is asked for, and given up with its last property. Work is done when verdicts are asked for: add
// many properties, then ask. Not safe to share between threads.
#pragma once

#include "analysis/interner.h"
#include "analysis/property.h"
#include "analysis/ucg.h"
#include "analysis/ucg_projection.h"
#include "analysis/ucg_segment.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace heddle {

class SharedCausalityGraph {
  public:
    struct Options {
        /// Windows with at most so many synchronisation events in each of the property's threads are not
        /// shared.
        std::size_t short_window = 32;
        /// Clock components of a segment (12 bytes each); the properties of a larger one are decided alone.
        std::size_t max_segment = 8'000'000;
        /// Likewise with more threads: a property costs the square of them.
        std::size_t max_strands = 128;
    };

    explicit SharedCausalityGraph(const CausalityGraph& graph) : SharedCausalityGraph(graph, Options()) {}
    SharedCausalityGraph(const CausalityGraph& graph, Options options);

    [[nodiscard]] PropertyId add(const Property& property);
    /// The id must not be used again.
    void remove(PropertyId id);

    /// As CausalityGraph::decide, but without the cycle.
    [[nodiscard]] UcgVerdict verdict(PropertyId id);
    /// The graph projected onto the property; nothing when that is refuted or not complete.
    [[nodiscard]] std::optional<UcgProjection> projection(PropertyId id);
    /// The verdict with its cycle, from the property's own window: reasons are what sharing does not keep.
    [[nodiscard]] UcgVerdict explained(PropertyId id) const;

    struct Sizes {
        std::size_t properties = 0;
        std::size_t shapes = 0;
        std::size_t segments = 0;
    };
    [[nodiscard]] Sizes sizes() const;

  private:
    static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

    struct Entry {
        Property property;
        std::uint32_t shape = kNone; ///< none: removed
    };
    /// Where an event of a property lies among the synchronisation events of its thread.
    struct Place {
        std::uint32_t thread = 0;
        std::uint32_t place = 0;
        std::uint32_t passed =
            0; ///< 0: the thread stops there; 1: it goes on; 2: and the event is one of them

        bool operator==(const Place&) const = default;
    };
    struct Shape {
        Property property; ///< any of them
        std::size_t properties = 0;
        std::uint32_t segment = kNone; ///< none: decided in a window of its own
        bool decided = false;
        bool feasible = true;
        bool complete = true;
    };
    struct Segment {
        std::unique_ptr<UcgSegment> graph; ///< none: given up
        std::size_t shapes = 0;
    };
    /// What a shape's graph covers: from its barrier to its last event.
    struct Window {
        std::uint32_t shape = 0;
        CausalityBarrier barrier;
        Bound low = 0; ///< of the property's threads
        Bound high = 0;
    };

    [[nodiscard]] std::uint32_t shape_of(const Property& property);
    void settle();
    [[nodiscard]] Window window_of(std::uint32_t shape) const;
    [[nodiscard]] bool is_short(const Window& window) const;
    void decide_alone(const Window& window);
    void decide_in(std::uint32_t segment, const Window& window);
    [[nodiscard]] std::uint32_t segment_over(const Window& window) const;
    [[nodiscard]] std::uint32_t build_segment(std::span<const Window> group);
    [[nodiscard]] bool covers(const UcgSegment& segment, const Window& window) const;

    CausalityGraph graph_;
    const UcgContext& context_;
    Options options_;
    std::vector<Entry> entries_; ///< by property id
    Interner<Place> shapes_of_;
    std::vector<Shape> shapes_; ///< by number in shapes_of_
    std::vector<Place> shape_;  ///< scratch
    std::vector<std::uint32_t> pending_;
    std::vector<Segment> segments_;
    UcgProjector projector_;
};

/// The verdicts of all properties, without cycles.
[[nodiscard]] std::vector<UcgVerdict> decide_all(const CausalityGraph& graph,
                                                 std::span<const Property> properties);

} // namespace heddle
