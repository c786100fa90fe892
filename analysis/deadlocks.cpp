#include "analysis/deadlocks.h"

#include <algorithm>
#include <map>
#include <utility>

namespace heddle {

namespace {

/// How many dependencies the search for cycles may look at: a trace with thousands of locks has no end of
/// them.
constexpr std::uint64_t kMaxSearchSteps = 200'000'000;
/// How many cycles of events are kept for one candidate: they differ more than pairs of accesses do.
constexpr std::size_t kMaxDeadlockSamples = 256;
/// Dependencies to begin with between two looks at whether to stop.
constexpr std::size_t kStepsUnasked = 64;

/// Strongly connected components of the locks, numbered: a cycle never leaves one. Tarjan's algorithm,
/// without recursion, since a chain of locks may be long.
class LockComponents {
  public:
    explicit LockComponents(std::span<const LockDependency> dependencies) {
        for (const LockDependency& one : dependencies) next_[one.held].push_back(one.requested);
        for (auto& [lock, targets] : next_) {
            std::sort(targets.begin(), targets.end());
            targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
        }
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
    CycleSearch(std::vector<LockDependency> dependencies, const HardOrder& order, LockProfiles& profiles)
        : dependencies_(std::move(dependencies)), order_(order), profiles_(profiles) {
        for (std::size_t i = 0; i < dependencies_.size(); ++i) by_held_[dependencies_[i].held].push_back(i);
    }

    DeadlockCandidates run(bool refuted, const Progress& progress) {
        result_.complete = search(kMaxSearchSteps, progress);
        // What cannot be is worth less: it is looked for last, and not as long.
        with_obstacles_ = true;
        if (refuted) static_cast<void>(search(kMaxSearchSteps / 10, progress));
        for (auto& [key, cycle] : cycles_) {
            ++result_.counts.total;
            result_.counts.lock_analysis += cycle.locks_allow ? 1U : 0U;
            result_.counts.hard_order += cycle.order_allows ? 1U : 0U;
            cycle.candidate.count_exact = result_.complete;
            result_.found.push_back(std::move(cycle.candidate));
        }
        return std::move(result_);
    }

  private:
    struct Cycle {
        Candidate candidate;
        bool locks_allow = false; ///< some cycle of events with these places
        bool order_allows = false;
    };

    /// False: stopped, at the limit or because told so.
    bool search(std::uint64_t max_steps, const Progress& progress) {
        steps_left_ = max_steps;
        // Each cycle is found from its dependency of the smallest number only.
        for (std::size_t first = 0; first < dependencies_.size() && steps_left_ > 0; ++first) {
            if (progress && first % kStepsUnasked == 0 && !progress(first, dependencies_.size()))
                return false;
            path_ = {first};
            extend();
        }
        return steps_left_ > 0;
    }

    void extend() {
        const LockDependency& last = dependencies_[path_.back()];
        const auto next = by_held_.find(last.requested);
        if (next == by_held_.end()) return;
        for (const std::size_t number : next->second) {
            if (steps_left_ == 0) return;
            --steps_left_;
            const LockDependency& candidate = dependencies_[number];
            if (!last.waits_for(candidate)) continue;
            if (number == path_.front() && path_.size() > 1) close();
            if (number <= path_.front() || !distinct(candidate)) continue;
            if (!with_obstacles_ && (guarded(candidate) || ordered(candidate))) continue;
            path_.push_back(number);
            extend();
            path_.pop_back();
        }
    }

    template<typename Test>
    [[nodiscard]] bool any_in_path(Test test) const {
        return std::any_of(path_.begin(), path_.end(),
                           [&](std::size_t number) { return test(dependencies_[number]); });
    }
    [[nodiscard]] bool distinct(const LockDependency& one) const {
        return !any_in_path([&](const LockDependency& other) {
            return other.thread == one.thread || other.held == one.held;
        });
    }
    [[nodiscard]] bool guarded(const LockDependency& one) const {
        return any_in_path([&](const LockDependency& other) {
            return other.step != one.step &&
                   profiles_.verdict(other.profile, one.profile) == LockVerdict::excluded_by_lockset;
        });
    }
    [[nodiscard]] bool ordered(const LockDependency& one) const {
        return any_in_path([&](const LockDependency& other) {
            return other.step != one.step && order_.ordered(other.position(), one.position());
        });
    }

    void close() {
        const bool locks_allow = !any_in_path([&](const LockDependency& one) { return guarded(one); });
        const bool order_allows = !any_in_path([&](const LockDependency& one) { return ordered(one); });
        if (with_obstacles_ && locks_allow && order_allows) return; // found before
        Deadlock deadlock;
        std::vector<std::pair<PlaceId, LockId>> places;
        std::uint64_t count = 1;
        for (const std::size_t number : path_) {
            deadlock.steps.push_back(dependencies_[number].step);
            // Accounts that are locked two by two make one bug, not one for each two of them.
            const PlaceId place = dependencies_[number].place;
            places.emplace_back(place, place.valid() ? LockId{} : dependencies_[number].requested);
            count *= dependencies_[number].count;
        }
        std::rotate(places.begin(), std::min_element(places.begin(), places.end()), places.end());
        CandidateKey key{FindingKind::deadlock, {}};
        for (const auto& [place, lock] : places) key.parts.insert(key.parts.end(), {place.value, lock.value});
        const auto [at, is_new] = cycles_.try_emplace(std::move(key));
        Cycle& cycle = at->second;
        Candidate& candidate = cycle.candidate;
        cycle.locks_allow = cycle.locks_allow || locks_allow;
        cycle.order_allows = cycle.order_allows || order_allows;
        if (is_new) {
            candidate.key = at->first;
            candidate.representative = deadlock;
        }
        if (with_obstacles_) {
            if (locks_allow) candidate.refuted = {Filter::hard_order, {}};
            return;
        }
        candidate.count += count;
        if (count > 1 || candidate.samples.size() == kMaxDeadlockSamples) candidate.more = true;
        candidate.ways = true;
        if (candidate.samples.size() < kMaxDeadlockSamples)
            candidate.samples.emplace_back(std::move(deadlock));
    }

    std::vector<LockDependency> dependencies_;
    const HardOrder& order_;
    LockProfiles& profiles_;
    std::map<LockId, std::vector<std::size_t>> by_held_;
    std::vector<std::size_t> path_;
    std::uint64_t steps_left_ = 0;
    bool with_obstacles_ = false; ///< the search is for cycles that locks or the hard order rule out
    std::map<CandidateKey, Cycle> cycles_;
    DeadlockCandidates result_;
};

} // namespace

DeadlockCandidates find_deadlocks(std::span<const LockDependency> dependencies, const HardOrder& order,
                                  LockProfiles& profiles, bool refuted, const Progress& progress) {
    const LockComponents components(dependencies);
    std::vector<LockDependency> within;
    for (const LockDependency& one : dependencies) {
        if (components.together(one.held, one.requested)) within.push_back(one);
    }
    return CycleSearch(std::move(within), order, profiles).run(refuted, progress);
}

} // namespace heddle
