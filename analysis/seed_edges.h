// Seed edges of the Universal Causality Graph (seed 000, §3.2): "from must come before to" in every schedule
// of the run that takes `to`, for all primitives of the table in docs/algorithms.md. Locks give no seed
// edges. Edges that program order implies are left out.
//
// Where many events precede many others (a barrier round, annotations, the release heads of a variable) the
// edges pass through a *joint*: a point that is no event, taken once all its sources were. That keeps the
// edges linear in the events; those of counted semaphores alone can reach waits × threads. Pure function.
#pragma once

#include "analysis/semaphore_balance.h"
#include "traces/trace.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace heddle {

enum class SeedKind : std::uint8_t {
    fork,
    join,
    wait_notify, ///< the wait began before the notify that ended it
    notify_wait, ///< the notify came before the wait ended
    barrier,
    semaphore_init,
    semaphore_count, ///< without this post the wait could never be allowed
    once,
    annotation,
    atomic, ///< a release and the acquire that synchronises with it
};
inline constexpr std::size_t kSeedKinds = 10;
[[nodiscard]] std::string_view describe(SeedKind kind);

/// An end of a seed edge: an event's id, or beyond the trace's events the number of a joint.
using SeedNode = std::uint32_t;

struct SeedEdge {
    SeedNode from = 0;
    SeedNode to = 0;
    SeedKind kind = SeedKind::fork;

    bool operator==(const SeedEdge&) const = default;
};

/// Joints of one object form a chain: its later ones are taken after its earlier ones.
struct Joint {
    std::uint32_t chain = 0;
};

class SeedEdges {
  public:
    /// Edges sorted by target.
    [[nodiscard]] std::span<const SeedEdge> edges() const { return edges_; }
    [[nodiscard]] std::span<const SeedEdge> into(SeedNode node) const;
    [[nodiscard]] bool is_joint(SeedNode node) const { return node >= event_count_; }
    [[nodiscard]] std::size_t event_count() const { return event_count_; }
    /// Joint j is node event_count() + j.
    [[nodiscard]] std::span<const Joint> joints() const { return joints_; }
    [[nodiscard]] std::size_t chain_count() const { return chain_count_; }

  private:
    friend class SeedEdgeBuilder;

    std::vector<SeedEdge> edges_;
    std::vector<Joint> joints_;
    std::size_t chain_count_ = 0;
    std::size_t event_count_ = 0;
};

[[nodiscard]] SeedEdges seed_edges(const Trace& trace, std::span<const CountedSemaphore> semaphores);

} // namespace heddle
