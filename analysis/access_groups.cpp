#include "analysis/access_groups.h"

#include "traces/hash.h"
#include "traces/hash_index.h"

#include <algorithm>
#include <bit>

namespace heddle {

namespace {

constexpr std::uint32_t kNobody = Id<ThreadTag>::kNone;

/// Follows the threads along the trace: where each is, and in which segment.
class SegmentCursor {
  public:
    SegmentCursor(const HardOrder& order, std::size_t threads) : order_(order), threads_(threads) {
        for (std::size_t i = 0; i < threads; ++i) {
            if (!order.segments_of(ThreadId{i}).empty()) enter_segment(ThreadId{i}, threads_[i]);
        }
    }
    struct Place {
        std::uint32_t index = 0;
        SegmentId segment;
    };
    /// `own_sources`: the event may itself have to wait for others (an acquiring load). To stand before it, a
    /// thread needs only what came before, so it counts as an event of the segment before.
    Place step(ThreadId thread, bool own_sources) {
        State& state = threads_[thread.value];
        const SegmentId before = state.segment;
        if (state.index == state.next_start) enter_segment(thread, state);
        return {state.index++, own_sources ? before : state.segment};
    }

  private:
    struct State {
        std::uint32_t index = 0;
        std::uint32_t next_start = 0;
        std::size_t next_segment = 0;
        SegmentId segment;
    };
    void enter_segment(ThreadId thread, State& state) {
        const auto segments = order_.segments_of(thread);
        state.segment = segments[state.next_segment++];
        state.next_start = state.next_segment < segments.size()
                               ? order_.start_of(segments[state.next_segment])
                               : 0xFFFF'FFFFU;
    }
    const HardOrder& order_;
    std::vector<State> threads_;
};

class Grouping {
  public:
    explicit Grouping(const Trace& trace) : trace_(trace), recent_(std::min(kMaxRecent, trace.size() + 1)) {}

    void add(const EventView& event, ProfileId profile, SegmentCursor::Place place) {
        AccessGroup& group = group_of(event, profile);
        if (group.parts.empty() || group.parts.back().segment != place.segment || group.atomic) {
            group.parts.push_back({event.id(), place.index, place.segment, 0});
        }
        ++group.parts.back().count;
    }

    std::vector<AccessGroup> take() {
        std::sort(groups_.begin(), groups_.end(), [](const AccessGroup& a, const AccessGroup& b) {
            return a.variable != b.variable ? a.variable < b.variable : a.parts[0].first < b.parts[0].first;
        });
        return std::move(groups_);
    }

  private:
    /// The same instruction on the same variable under the same locks was mostly seen a moment ago.
    struct Recent {
        EventHead head;
        std::uint32_t target = kNoTarget;
        ProfileId profile;
        std::uint32_t group = 0;
    };
    static constexpr std::size_t kMaxRecent = std::size_t{1} << 14U;

    AccessGroup& group_of(const EventView& event, ProfileId profile) {
        const std::uint64_t spread = hash_mix(std::bit_cast<std::uint64_t>(event.head()), event.target());
        Recent& recent = recent_[spread % recent_.size()];
        if (recent.target != event.target() || recent.head != event.head() || recent.profile != profile) {
            recent = {event.head(), event.target(), profile, find_group(event, profile)};
        }
        return groups_[recent.group];
    }

    std::uint32_t find_group(const EventView& event, ProfileId profile) {
        const PlaceId place = trace_.place_of(event.stack());
        const bool reads = reads_memory(event.kind());
        const bool writes = writes_memory(event.kind());
        const bool atomic = traits(event.kind()).atomic;
        const ByteRange bytes = event.bytes();
        std::uint64_t hash =
            hash_mix(event.target(), std::uint64_t{event.thread().value} << 32U | profile.value);
        hash = hash_mix(
            hash, std::uint64_t{place.value} << 16U | static_cast<std::uint64_t>(bytes.offset) << 8U |
                      static_cast<std::uint64_t>(bytes.size) << 4U | static_cast<std::uint64_t>(reads) << 2U |
                      static_cast<std::uint64_t>(writes) << 1U | static_cast<std::uint64_t>(atomic));
        const std::uint32_t found = index_.find(hash, [&](std::uint32_t row) {
            const AccessGroup& group = groups_[row];
            return group.variable == event.variable() && group.thread == event.thread() &&
                   group.profile == profile && group.place == place && group.bytes == bytes &&
                   group.reads == reads && group.writes == writes && group.atomic == atomic;
        });
        if (found != HashIndex::kAbsent) return found;
        index_.insert(hash, static_cast<std::uint32_t>(groups_.size()));
        groups_.push_back({.variable = event.variable(),
                           .thread = event.thread(),
                           .reads = reads,
                           .writes = writes,
                           .atomic = atomic,
                           .bytes = bytes,
                           .place = place,
                           .profile = profile});
        return static_cast<std::uint32_t>(groups_.size() - 1);
    }

    const Trace& trace_;
    std::vector<AccessGroup> groups_;
    HashIndex index_;
    std::vector<Recent> recent_;
};

} // namespace

std::vector<bool> shared_variables(const Trace& trace) {
    const std::size_t count = trace.objects(ObjectKind::variable).size();
    std::vector<std::uint32_t> user(count, kNobody);
    std::vector<bool> shared(count, false);
    for (const EventView event : trace.events()) {
        if (!is_access(event.kind())) continue;
        std::uint32_t& by = user[event.variable().value];
        if (by == kNobody) by = event.thread().value;
        if (by != event.thread().value) shared[event.variable().value] = true;
    }
    return shared;
}

std::vector<AccessGroup> group_accesses(const Trace& trace, const HardOrder& order, LockProfiles& profiles) {
    const std::vector<bool> shared = shared_variables(trace);
    Grouping grouping(trace);
    SegmentCursor cursor(order, trace.thread_count());
    for (const EventView event : trace.events()) {
        const bool acquires = traits(event.kind()).atomic && reads_memory(event.kind());
        const SegmentCursor::Place place = cursor.step(event.thread(), acquires);
        profiles.step(event);
        if (!is_access(event.kind()) || !shared[event.variable().value]) continue;
        grouping.add(event, profiles.current(event.thread()), place);
    }
    return grouping.take();
}

} // namespace heddle
