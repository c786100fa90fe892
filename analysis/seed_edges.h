// Seed edges of the Universal Causality Graph (seed 000, §3.2): "from must come before to" in every schedule
// of the run that takes `to`, for all primitives of the table in docs/algorithms.md. Locks give no seed
// edges. Edges that program order implies are left out.
//
// Where many events precede many others (a barrier round, annotations, the release heads of a variable) the
// edges pass through a *joint*: a point that is no event, taken once all its sources were. That keeps the
// edges linear in the events; those of counted semaphores alone can reach waits × threads.
//
// Online: extend() takes the events recorded since. Nearly always that leaves what was there as it was.
#pragma once

#include "analysis/semaphore_balance.h"
#include "traces/trace.h"

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
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

/// An end of a seed edge: an event's id, or from kFirstJoint on a joint.
using SeedNode = std::uint32_t;
inline constexpr SeedNode kFirstJoint = 0x8000'0000; ///< Limits::max_events is less

struct SeedEdge {
    SeedNode from = 0;
    SeedNode to = 0;
    SeedKind kind = SeedKind::fork;

    bool operator==(const SeedEdge&) const = default;
};

/// Joints of one object form a chain: its later ones are taken after its earlier ones.
struct Joint {
    std::uint32_t chain = 0;
    std::vector<SeedEdge> sources;
};

class SeedEdges {
  public:
    SeedEdges() = default;
    explicit SeedEdges(const Trace& trace) { extend(trace); }

    /// Takes the events after those of the call before, whose trace this one must extend. False: what they
    /// say changes edges into earlier events. Then this is of no more use: make a new one.
    bool extend(const Trace& trace);

    /// Edges into events, ascending by target.
    [[nodiscard]] std::span<const SeedEdge> edges() const { return edges_; }
    /// Edges into joints, in the order in which they were found.
    [[nodiscard]] std::span<const SeedEdge> joint_edges() const { return joint_edges_; }
    /// Edges into an event or a joint.
    [[nodiscard]] std::span<const SeedEdge> into(SeedNode node) const;
    [[nodiscard]] static bool is_joint(SeedNode node) { return node >= kFirstJoint; }
    /// Joint j is node kFirstJoint + j.
    [[nodiscard]] std::span<const Joint> joints() const { return joints_; }
    [[nodiscard]] const Joint& joint(SeedNode node) const { return joints_[node - kFirstJoint]; }
    [[nodiscard]] std::size_t chain_count() const { return chain_count_; }
    [[nodiscard]] const SemaphoreBalances& semaphores() const { return semaphores_; }

    /// An event at which a thread's relation to others may change: its first, one with an edge into it, one
    /// after an event from which an edge may lead, now or when the run goes on.
    struct Start {
        EventId event;
        std::uint32_t index = 0; ///< within its thread

        bool operator==(const Start&) const = default;
    };
    /// Ascending.
    [[nodiscard]] std::span<const Start> starts() const { return starts_; }

    /// All events but plain reads and writes, ascending: few of a run, so others pass over these alone.
    [[nodiscard]] std::span<const EventId> synchronisation() const { return synchronisation_; }

  private:
    struct Thread {
        std::uint32_t events = 0;
        EventId last;
        EventId forked_by;
        bool starts = true; ///< its next event does
    };
    /// What an acquire or a happens_after waits for: everything gathered before it.
    struct Sources {
        std::vector<SeedNode> nodes;
        std::uint32_t chain = kNoChain;
    };
    static constexpr std::uint32_t kNoChain = 0xFFFF'FFFF;
    using NamedRound = std::pair<std::uint32_t, std::uint64_t>; ///< an object, and a round or ticket

    void visit(const Trace& trace, EventView event);
    void synchronise(const Trace& trace, const EventView& event);
    void end_wait(const Trace& trace, const EventView& event);
    void access(const Trace& trace, const EventView& event);
    void wait_for(const Trace& trace, Sources& sources, const EventView& event, SeedKind kind);
    [[nodiscard]] SeedNode barrier_round(const Trace& trace, const EventView& event);
    [[nodiscard]] SeedNode new_joint(std::uint32_t chain);
    void add_to_joint(SeedNode joint, SeedNode source, SeedKind kind);
    void add(ThreadId from_thread, EventId from, ThreadId to_thread, EventId to, SeedKind kind);
    bool take_semaphore_edges(const Trace& trace, std::size_t first_new);
    void add_starts(const Trace& trace, std::size_t first_new_edge, std::size_t first_new_start);

    std::vector<SeedEdge> edges_;
    std::vector<SeedEdge> semaphore_edges_; ///< those of edges_ that count semaphores
    std::vector<SeedEdge> joint_edges_;
    std::vector<Joint> joints_;
    std::size_t chain_count_ = 0;
    std::vector<Start> starts_;
    std::vector<EventId> synchronisation_;

    // Where the run stands.
    std::size_t taken_ = 0;
    std::vector<Thread> threads_;
    SemaphoreBalances semaphores_;
    bool semaphores_moved_ = false;
    std::unordered_map<std::uint64_t, EventId> waiting_; ///< by thread and condition
    std::map<NamedRound, EventId> notified_;             ///< by condition and ticket
    std::map<NamedRound, SeedNode> rounds_;              ///< by barrier and round
    std::unordered_map<std::uint32_t, std::uint32_t> barrier_chains_;
    std::unordered_map<std::uint32_t, EventId> once_;
    std::unordered_map<std::uint32_t, Sources> tags_;
    std::vector<std::uint32_t> heads_; ///< by variable: 0, or 1 + index into head_sets_
    std::vector<Sources> head_sets_;
};

} // namespace heddle
