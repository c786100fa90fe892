#include "analysis/deadlocks.h"

#include "traces/hash.h"
#include "traces/hash_index.h"

#include <algorithm>
#include <map>
#include <utility>

namespace heddle {

namespace {

/// How many steps the search for cycles may take: a trace with thousands of locks has no end of them.
constexpr std::uint64_t kMaxSearchSteps = 2'000'000;

/// A thread that holds one lock and asks for another: a group of such moments, alike in all that matters.
struct Dependency {
    ThreadId thread;
    LockId held;
    LockId requested;
    bool held_shared = false;
    bool requested_shared = false;
    ProfileId profile; ///< before the request
    PlaceId place;     ///< of the request
    SegmentId segment;
    DeadlockStep step; ///< the first of the group
    std::uint64_t count = 0;

    /// Whether this request waits for the lock that `other` holds.
    [[nodiscard]] bool waits_for(const Dependency& other) const {
        return requested == other.held && !(requested_shared && other.held_shared);
    }
};

class DependencyCollector {
  public:
    DependencyCollector(const Trace& trace, const HardOrder& order)
        : trace_(trace), order_(order), held_(trace.thread_count()) {}

    void step(const EventView& event, ProfileId profile_before) {
        switch (event.kind()) {
        case EventKind::acquire:
        case EventKind::acquire_shared: {
            const bool shared = event.kind() == EventKind::acquire_shared;
            auto& held = held_[event.thread().value];
            for (const Held& lock : held) add(event, shared, lock, profile_before);
            held.push_back({event.lock(), shared, event.id()});
            break;
        }
        case EventKind::release:
        case EventKind::release_shared:
            std::erase_if(held_[event.thread().value],
                          [&](const Held& lock) { return lock.lock == event.lock(); });
            break;
        default: break;
        }
    }
    std::vector<Dependency> take() { return std::move(dependencies_); }

  private:
    struct Held {
        LockId lock;
        bool shared = false;
        EventId since;
    };

    void add(const EventView& event, bool shared, const Held& held, ProfileId profile) {
        const PlaceId place = trace_.place_of(event.stack());
        const SegmentId segment = order_.position(event.id()).segment;
        std::uint64_t hash =
            hash_mix(event.thread().value, std::uint64_t{held.lock.value} << 32U | event.lock().value);
        hash = hash_mix(hash, std::uint64_t{profile.value} << 32U | place.value);
        hash = hash_mix(hash, std::uint64_t{segment.value} << 2U | static_cast<std::uint64_t>(shared) << 1U |
                                  static_cast<std::uint64_t>(held.shared));
        const std::uint32_t found = index_.find(hash, [&](std::uint32_t row) {
            const Dependency& known = dependencies_[row];
            return known.thread == event.thread() && known.held == held.lock &&
                   known.requested == event.lock() && known.profile == profile && known.place == place &&
                   known.segment == segment && known.held_shared == held.shared &&
                   known.requested_shared == shared;
        });
        if (found != HashIndex::kAbsent) {
            ++dependencies_[found].count;
            return;
        }
        index_.insert(hash, static_cast<std::uint32_t>(dependencies_.size()));
        dependencies_.push_back({.thread = event.thread(),
                                 .held = held.lock,
                                 .requested = event.lock(),
                                 .held_shared = held.shared,
                                 .requested_shared = shared,
                                 .profile = profile,
                                 .place = place,
                                 .segment = segment,
                                 .step = {held.since, event.id()},
                                 .count = 1});
    }

    const Trace& trace_;
    const HardOrder& order_;
    std::vector<std::vector<Held>> held_;
    std::vector<Dependency> dependencies_;
    HashIndex index_;
};

/// Strongly connected components of the locks, numbered: a cycle never leaves one. Tarjan's algorithm,
/// without recursion, since a chain of locks may be long.
class LockComponents {
  public:
    explicit LockComponents(const std::vector<Dependency>& dependencies) {
        for (const Dependency& one : dependencies) next_[one.held].push_back(one.requested);
        for (const auto& [lock, targets] : next_) {
            if (!number_.contains(lock)) visit(lock);
        }
    }
    [[nodiscard]] bool together(LockId a, LockId b) const { return component_.at(a) == component_.at(b); }

  private:
    struct Frame {
        LockId lock;
        std::size_t edge = 0;
    };

    void enter(LockId lock) {
        number_[lock] = low_[lock] = static_cast<std::uint32_t>(number_.size());
        stack_.push_back(lock);
        frames_.push_back({lock});
    }

    void visit(LockId root) {
        enter(root);
        while (!frames_.empty()) {
            Frame& frame = frames_.back();
            const LockId lock = frame.lock;
            const auto targets = next_.find(lock);
            if (targets != next_.end() && frame.edge < targets->second.size()) {
                const LockId target = targets->second[frame.edge++];
                if (!number_.contains(target)) {
                    enter(target);
                } else if (!component_.contains(target)) {
                    low_[lock] = std::min(low_[lock], number_[target]);
                }
                continue;
            }
            if (low_[lock] == number_[lock]) close(lock);
            frames_.pop_back();
            if (!frames_.empty()) {
                const LockId parent = frames_.back().lock;
                low_[parent] = std::min(low_[parent], low_[lock]);
            }
        }
    }

    void close(LockId root) {
        const std::uint32_t component = components_++;
        LockId lock;
        do {
            lock = stack_.back();
            stack_.pop_back();
            component_[lock] = component;
        } while (lock != root);
    }

    std::map<LockId, std::vector<LockId>> next_;
    std::map<LockId, std::uint32_t> number_;
    std::map<LockId, std::uint32_t> low_;
    std::map<LockId, std::uint32_t> component_;
    std::vector<LockId> stack_;
    std::vector<Frame> frames_;
    std::uint32_t components_ = 0;
};

class CycleSearch {
  public:
    CycleSearch(const Trace& trace, const std::vector<Dependency>& dependencies, const HardOrder& order,
                LockProfiles& profiles, const CausalityGraph& causality)
        : trace_(trace), dependencies_(dependencies), order_(order), profiles_(profiles),
          causality_(causality) {
        for (std::size_t i = 0; i < dependencies.size(); ++i) by_held_[dependencies[i].held].push_back(i);
    }

    DeadlockAnalysis run() {
        // Each cycle is found from its dependency of the smallest number only.
        for (std::size_t first = 0; first < dependencies_.size() && result_.complete; ++first) {
            path_ = {first};
            extend();
        }
        for (auto& [places, candidate] : candidates_) result_.candidates.push_back(std::move(candidate));
        return std::move(result_);
    }

  private:
    void extend() {
        if (++steps_ > kMaxSearchSteps) {
            result_.complete = false;
            return;
        }
        const Dependency& last = dependencies_[path_.back()];
        const auto next = by_held_.find(last.requested);
        if (next == by_held_.end()) return;
        for (const std::size_t number : next->second) {
            if (!result_.complete) return;
            if (number == path_.front() && path_.size() > 1 && last.waits_for(dependencies_[number])) close();
            if (number <= path_.front() || !last.waits_for(dependencies_[number]) ||
                !fits(dependencies_[number]))
                continue;
            path_.push_back(number);
            extend();
            path_.pop_back();
        }
    }

    /// Different threads, different held locks, no guard in common, nothing that orders the requests.
    bool fits(const Dependency& candidate) {
        return std::all_of(path_.begin(), path_.end(), [&](std::size_t number) {
            const Dependency& other = dependencies_[number];
            return other.thread != candidate.thread && other.held != candidate.held &&
                   profiles_.verdict(other.profile, candidate.profile) != LockVerdict::excluded_by_lockset &&
                   !order_.ordered(order_.position(other.step.requests),
                                   order_.position(candidate.step.requests));
        });
    }

    void close() {
        ++result_.counts.total;
        Deadlock deadlock;
        std::vector<std::pair<PlaceId, LockId>> places;
        std::uint64_t count = 1;
        for (const std::size_t number : path_) {
            deadlock.steps.push_back(dependencies_[number].step);
            places.emplace_back(dependencies_[number].place, dependencies_[number].requested);
            count *= dependencies_[number].count;
        }
        std::rotate(places.begin(), std::min_element(places.begin(), places.end()), places.end());
        const auto [at, is_new] = candidates_.try_emplace(std::move(places));
        at->second.count += count;
        if (!is_new && std::holds_alternative<Possible>(at->second.verdict)) return;
        const UcgVerdict verdict = causality_.decide(deadlock);
        at->second.representative = std::move(deadlock);
        if (!verdict.complete) {
            at->second.verdict = Undecided{"what would have to be looked at is too large"};
        } else if (verdict.feasible) {
            ++result_.counts.causality;
            at->second.verdict = Possible{};
        } else {
            at->second.verdict = Refuted{Filter::causality_graph, explain(trace_, verdict)};
        }
    }

    const Trace& trace_;
    const std::vector<Dependency>& dependencies_;
    const HardOrder& order_;
    LockProfiles& profiles_;
    const CausalityGraph& causality_;
    std::map<LockId, std::vector<std::size_t>> by_held_;
    std::vector<std::size_t> path_;
    std::uint64_t steps_ = 0;
    std::map<std::vector<std::pair<PlaceId, LockId>>, DeadlockCandidate> candidates_;
    DeadlockAnalysis result_;
};

} // namespace

DeadlockAnalysis find_deadlocks(const Trace& trace, const HardOrder& order, const CausalityGraph& causality) {
    LockProfiles profiles;
    DependencyCollector collector(trace, order);
    for (const EventView event : trace.events()) {
        collector.step(event, profiles.current(event.thread()));
        profiles.step(event);
    }
    std::vector<Dependency> dependencies = collector.take();
    const LockComponents components(dependencies);
    std::erase_if(dependencies,
                  [&](const Dependency& one) { return !components.together(one.held, one.requested); });
    return CycleSearch(trace, dependencies, order, profiles, causality).run();
}

} // namespace heddle
