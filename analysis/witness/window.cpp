#include "analysis/witness/window.h"

#include "analysis/witness/aim.h"

#include <algorithm>
#include <span>
#include <utility>

namespace heddle {

namespace {

/// Only events of these kinds, and the first of a thread, have to wait for others.
bool may_wait(EventKind kind) {
    switch (kind) {
    case EventKind::read:
    case EventKind::write:
    case EventKind::acquire:
    case EventKind::release:
    case EventKind::acquire_shared:
    case EventKind::release_shared: return false;
    default: return true;
    }
}

/// Whether one of the edges comes from an event at or after the base.
bool any_from(std::span<const SeedEdge> edges, EventId base) {
    return std::ranges::any_of(edges, [&](const SeedEdge& edge) {
        return !SeedEdges::is_joint(edge.from) && edge.from >= base.value;
    });
}

/// By thread: the bound of its events that may be taken because of what the property stops.
std::vector<std::uint32_t> caps_of(const Trace& trace, const Property& property) {
    std::vector<std::uint32_t> caps(trace.thread_count(), EventId::kNone);
    const Aim aim = aim_of(property);
    for (const EventId stop : aim.stops) caps[trace[stop].thread().value] = stop.value;
    if (aim.violation) caps[trace[aim.violation->second].thread().value] = aim.violation->second.value + 1;
    return caps;
}

/// The least part of the run, from a base on, that holds the events of a property and all that these need as
/// recorded. Needs lead backwards, so one pass from the end finds them; only the ends of critical sections
/// lie ahead and ask for another.
class NeededPart {
  public:
    NeededPart(const Trace& trace, const CausalityGraph& causality, const RunIndex& index, EventId base)
        : trace_(trace), seeds_(causality.seeds()), index_(index), base_(base),
          bounds_(trace.thread_count()) {}

    [[nodiscard]] std::vector<std::uint32_t> find(const Property& property) {
        caps_ = caps_of(trace_, property);
        const Aim aim = aim_of(property);
        for (const EventId stop : aim.stops) {
            bounds_[trace_[stop].thread().value] = stop.value;
            // The thread must have begun, even if none of its events is taken.
            if (trace_.events_of(trace_[stop].thread())[0] == stop.value) need_sources(stop.value);
        }
        if (aim.violation) {
            unseen_ = {aim.violation->remote, aim.violation->second};
            raise(aim.violation->second);
            raise(aim.violation->remote);
        }
        last_ = last_event(property).value + 1;
        do {
            changed_ = false;
            pass();
            close_sections();
        } while (changed_);
        return std::move(bounds_);
    }

  private:
    /// A release whose acquire was not met yet, going backwards.
    struct Release {
        EventId event;
        ThreadId thread;
        std::uint32_t lock = 0;
    };

    void raise(EventId event) {
        if (event < base_) return;
        const std::uint32_t thread = trace_[event].thread().value;
        const std::uint32_t bound = std::min(event.value + 1, caps_[thread]);
        if (bounds_[thread] >= bound) return;
        bounds_[thread] = bound;
        if (event.value >= at_) changed_ = true;
    }

    void need_sources(SeedNode node) {
        const auto sources = seeds_.into(node);
        for (const SeedEdge& edge : sources)
            if (!SeedEdges::is_joint(edge.from)) raise(EventId{edge.from});
        // Joints of a chain wait for ever later events: before one whose events are all taken there is
        // nothing.
        if (SeedEdges::is_joint(node) && !any_from(sources, base_)) return;
        for (const SeedEdge& edge : sources)
            if (SeedEdges::is_joint(edge.from)) need_sources(edge.from);
    }

    void need_writers(const EventView& event) {
        unsigned missing = ((1U << event.bytes().size) - 1U) << event.bytes().offset;
        for (EventId write = index_.write_before(event.variable(), event.id(), missing);
             write.valid() && write >= base_; write = index_.write_before(event.variable(), write, missing)) {
            const ByteRange bytes = trace_[write].bytes();
            raise(write);
            missing &= ~(((1U << bytes.size) - 1U) << bytes.offset);
        }
    }

    void need_post(const EventView& wait) {
        const std::uint32_t number = seeds_.semaphores().number_of(wait.semaphore());
        if (number == SemaphoreBalances::kNone) return;
        const auto& paid = seeds_.semaphores().all()[number].paid_by;
        const auto by_wait = [](const auto& pair) { return pair.second; };
        const auto found = std::ranges::lower_bound(paid, wait.id(), {}, by_wait);
        if (found != paid.end() && found->second == wait.id()) raise(found->first);
    }

    void pass() {
        releases_.clear();
        acquired_.clear();
        for (at_ = last_; at_-- > base_.value;) {
            const EventView event = trace_[EventId{at_}];
            const bool within = at_ < bounds_[event.thread().value];
            switch (event.kind()) {
            case EventKind::release:
            case EventKind::release_shared:
                releases_.push_back({event.id(), event.thread(), event.target()});
                break;
            case EventKind::acquire:
            case EventKind::acquire_shared:
                std::erase_if(releases_, [&](const Release& release) {
                    return release.thread == event.thread() && release.lock == event.target();
                });
                if (within) acquired_.push_back(event.target());
                break;
            case EventKind::sem_wait:
                if (within) need_post(event);
                break;
            default: break;
            }
            if (!within) continue;
            if (may_wait(event.kind()) || trace_.events_of(event.thread())[0] == at_) need_sources(at_);
            if (reads_memory(event.kind()) && std::ranges::find(unseen_, event.id()) == unseen_.end())
                need_writers(event);
        }
        at_ = 0;
    }

    /// What is held at the base has to be given back if it is asked for; and no thread stops within a section
    /// unless the property says so, or the section goes on beyond all that it names.
    void close_sections() {
        for (const Release& release : releases_) {
            if (std::ranges::find(acquired_, release.lock) != acquired_.end()) raise(release.event);
        }
        for (std::uint32_t thread = 0; thread < bounds_.size(); ++thread) {
            if (bounds_[thread] <= base_.value || bounds_[thread] == caps_[thread]) continue;
            const auto stretch = index_.stretch_at(ThreadId{thread}, EventId{bounds_[thread]});
            if (stretch && stretch->release.valid() && stretch->release.value < last_)
                raise(stretch->release);
        }
    }

    const Trace& trace_;
    const SeedEdges& seeds_;
    const RunIndex& index_;
    EventId base_;
    std::vector<std::uint32_t> bounds_; ///< by thread: events below are part of it
    std::vector<std::uint32_t> caps_;
    std::vector<EventId> unseen_; ///< what they read does not matter
    std::uint32_t last_ = 0;      ///< no event from here on is part of it
    std::uint32_t at_ = 0;        ///< where the pass is
    bool changed_ = false;        ///< events that the pass has left behind became part of it
    std::vector<Release> releases_;
    std::vector<std::uint32_t> acquired_; ///< locks, by events that are part of it
};

} // namespace

std::uint32_t count_before(const ThreadIndex& events, std::uint32_t bound) {
    std::size_t low = 0;
    std::size_t high = events.size();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (events[middle] < bound)
            low = middle + 1;
        else
            high = middle;
    }
    return static_cast<std::uint32_t>(low);
}

std::optional<Window> WindowMaker::needed(const Property& property, EventId base,
                                          std::size_t max_events) const {
    if (last_event(property).value - base.value > max_events) return std::nullopt;
    const std::vector<std::uint32_t> bounds = NeededPart(trace_, causality_, index_, base).find(property);
    Window window{.base = base, .ends = {}};
    for (std::uint32_t thread = 0; thread < bounds.size(); ++thread)
        window.ends.push_back(
            count_before(trace_.events_of(ThreadId{thread}), std::max(bounds[thread], base.value)));
    return window;
}

Window WindowMaker::whole(const Property& property, EventId base) const {
    Window window{.base = base, .ends = {}, .complete = base.value == 0};
    const std::vector<std::uint32_t> caps = caps_of(trace_, property);
    for (std::uint32_t thread = 0; thread < caps.size(); ++thread)
        window.ends.push_back(count_before(trace_.events_of(ThreadId{thread}), caps[thread]));
    return window;
}

EventId WindowMaker::base_without_locks(const Property& property) const {
    EventId base = latest_base(property);
    for (const EventId event : events_of(property)) {
        const auto stretch = index_.stretch_at(trace_[event].thread(), event);
        if (stretch) base = std::min(base, stretch->acquire);
    }
    return base;
}

} // namespace heddle
