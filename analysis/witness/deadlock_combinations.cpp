#include "analysis/witness/deadlock_combinations.h"

#include <algorithm>
#include <utility>

namespace heddle {

namespace {

constexpr std::size_t kMaxCombinations = 100;
/// Requests that are looked at for one finding.
constexpr std::size_t kMaxLooks = 100'000;

bool keep_out(const LockUse& a, const LockUse& b) {
    return a.lock == b.lock && (a.mode == LockMode::exclusive || b.mode == LockMode::exclusive);
}

bool guarded(const LockRequest& a, const LockRequest& b) {
    return std::ranges::any_of(a.held, [&](const LockRequest::Held& one) {
        return std::ranges::any_of(
            b.held, [&](const LockRequest::Held& other) { return keep_out(one.use, other.use); });
    });
}

/// When the lock that is asked for was acquired; invalid: the other does not hold it, or lets share it.
EventId awaited(const LockUse& asks, const LockRequest& other) {
    const auto held =
        std::ranges::find_if(other.held, [&](const auto& one) { return keep_out(asks, one.use); });
    return held == other.held.end() ? EventId{} : held->since;
}

class CycleFinder {
  public:
    CycleFinder(const CandidateKey& key, const LockRequests& requests, const DataOrder& order,
                Combinations& result)
        : order_(order), result_(result) {
        for (std::size_t k = 0; k + 1 < key.parts.size(); k += 2)
            rows_.push_back(&requests.of({key.parts[k], key.parts[k + 1]}));
    }

    /// False: it stopped at a bound.
    bool find() {
        extend();
        return looks_ < kMaxLooks && result_.properties.size() < kMaxCombinations;
    }

  private:
    void extend() {
        if (path_.size() == rows_.size()) return close();
        for (const std::vector<LockRequest>& row : *rows_[path_.size()]) {
            const ThreadId thread = row.front().at.thread;
            const auto same = [&](const LockRequest* other) { return other->at.thread == thread; };
            if (std::ranges::any_of(path_, same)) continue;
            // What has to come first grows along a thread, so those that can meet the others are one stretch.
            std::uint32_t from = 0;
            for (const LockRequest* other : path_)
                from = std::max(from, order_.needed(other->at.thread, other->at.index, thread));
            auto request =
                std::ranges::lower_bound(row, from, {}, [](const auto& one) { return one.at.index; });
            for (; request != row.end() && may_be_together(*request); ++request) {
                if (++looks_ >= kMaxLooks || result_.properties.size() >= kMaxCombinations) return;
                if (!fits(*request)) continue;
                path_.push_back(&*request);
                extend();
                path_.pop_back();
            }
        }
    }

    [[nodiscard]] bool may_be_together(const LockRequest& request) const {
        return std::ranges::all_of(path_, [&](const LockRequest* other) {
            return order_.needed(request.at.thread, request.at.index, other->at.thread) <= other->at.index;
        });
    }

    [[nodiscard]] bool fits(const LockRequest& request) const {
        if (path_.empty()) return true;
        return awaited(path_.back()->asks, request).valid() &&
               std::ranges::none_of(path_,
                                    [&](const LockRequest* other) { return guarded(*other, request); });
    }

    void close() {
        Deadlock deadlock;
        for (std::size_t k = 0; k < path_.size(); ++k) {
            const LockRequest* before = path_[(k + path_.size() - 1) % path_.size()];
            const EventId holds = awaited(before->asks, *path_[k]);
            if (!holds.valid()) return;
            deadlock.steps.push_back({holds, path_[k]->at.event});
        }
        result_.properties.emplace_back(std::move(deadlock));
    }

    const DataOrder& order_;
    Combinations& result_;
    std::vector<const LockRequests::Rows*> rows_; ///< by step of the deadlock
    std::vector<const LockRequest*> path_;
    std::size_t looks_ = 0;
};

} // namespace

void find_deadlock_combinations(const CandidateKey& key, const LockRequests& requests, const DataOrder& order,
                                Combinations& result) {
    result.all = CycleFinder(key, requests, order, result).find();
}

} // namespace heddle
