#include "analysis/races.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>

namespace heddle {

namespace {

/// How many pairs of one candidate the causality graph is asked about before it stays undecided.
constexpr std::size_t kPairsTried = 16;
/// How many pairs of groups are counted for one candidate once there are pairs to try. A program with many
/// locks has so many profiles that counting them all would cost more than everything else.
constexpr std::size_t kPairsCounted = 50'000;

/// What locks say about each pair of profiles, in a table when there are few of them: it is asked for every
/// pair of groups.
class LockTable {
  public:
    explicit LockTable(LockProfiles& profiles) : profiles_(profiles), size_(profiles.size()) {
        if (size_ > kMaxTabled) return;
        table_.resize(size_ * size_);
        for (std::size_t a = 0; a < size_; ++a) {
            for (std::size_t b = 0; b < size_; ++b)
                table_[a * size_ + b] = profiles.verdict(ProfileId{a}, ProfileId{b});
        }
    }
    [[nodiscard]] LockVerdict operator()(ProfileId a, ProfileId b) const {
        return table_.empty() ? profiles_.verdict(a, b) : table_[a.value * size_ + b.value];
    }

  private:
    static constexpr std::size_t kMaxTabled = 1024;
    LockProfiles& profiles_;
    std::size_t size_;
    std::vector<LockVerdict> table_;
};

/// What comparing two groups needs, close together: a variable may have thousands of groups.
struct Row {
    explicit Row(const AccessGroup& of)
        : group(&of), first(of.parts[0]), thread(of.thread), profile(of.profile),
          bytes(static_cast<std::uint8_t>(((1U << of.bytes.size) - 1U) << of.bytes.offset)),
          writes(of.writes), atomic(of.atomic), single(of.parts.size() == 1) {}

    [[nodiscard]] bool conflicts_with(const Row& other) const {
        return thread != other.thread && (writes || other.writes) && !(atomic && other.atomic) &&
               (bytes & other.bytes) != 0;
    }

    const AccessGroup* group;
    GroupPart first;
    ThreadId thread;
    ProfileId profile;
    std::uint8_t bytes; ///< one bit for each
    bool writes;
    bool atomic;
    bool single;          ///< has one part only
    bool guarded = false; ///< holds the variable's guard exclusively
};

/// The lock that most groups of a variable hold exclusively: two groups that both hold it need no closer
/// look.
LockId guard_of(std::span<const AccessGroup> groups, const LockProfiles& profiles) {
    std::map<LockId, std::size_t> held;
    for (const AccessGroup& group : groups) {
        for (const LockUse& use : profiles.lockset(group.profile)) {
            if (use.mode == LockMode::exclusive) ++held[use.lock];
        }
    }
    const auto most = std::max_element(held.begin(), held.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == held.end() ? LockId{} : most->first;
}

/// Groups of one variable at one place: what a candidate pairs.
struct Site {
    PlaceId place;
    std::vector<Row> rows;
};

class RaceFinder {
  public:
    RaceFinder(const Trace& trace, const HardOrder& order, LockProfiles& profiles,
               const CausalityGraph& causality)
        : trace_(trace), order_(order), profiles_(profiles), locks_(profiles), causality_(causality) {}

    /// All groups of one variable.
    void add_variable(std::span<const AccessGroup> groups) {
        const LockUse guard{guard_of(groups, profiles_), LockMode::exclusive};
        std::map<PlaceId, Site> sites;
        for (const AccessGroup& group : groups) {
            Site& site = sites[group.place];
            site.place = group.place;
            const auto held = profiles_.lockset(group.profile);
            site.rows.emplace_back(group).guarded = std::find(held.begin(), held.end(), guard) != held.end();
        }
        // Those without the guard first: they find what there is to find soonest.
        for (auto& [place, site] : sites) {
            std::stable_partition(site.rows.begin(), site.rows.end(),
                                  [](const Row& row) { return !row.guarded; });
        }
        for (auto a = sites.begin(); a != sites.end(); ++a) {
            for (auto b = a; b != sites.end(); ++b) compare(a->second, b->second);
        }
    }

    RaceAnalysis take() { return std::move(result_); }

  private:
    void compare(const Site& a, const Site& b) {
        candidate_ = {.variable = a.rows[0].group->variable,
                      .first_place = a.place,
                      .second_place = b.place,
                      .verdict = Refuted{}};
        conflicts_ = false;
        samples_.clear();
        std::size_t compared = 0;
        for (std::size_t i = 0; i < a.rows.size() && candidate_.count_exact; ++i) {
            for (std::size_t j = &a == &b ? i + 1 : 0; j < b.rows.size(); ++j) {
                if (a.rows[i].conflicts_with(b.rows[j])) compare(a.rows[i], b.rows[j]);
                ++compared;
            }
            if (compared > kPairsCounted && samples_.size() == kPairsTried) candidate_.count_exact = false;
        }
        if (!conflicts_) return;
        if (candidate_.event_pairs > 0) decide();
        result_.candidates.push_back(std::move(candidate_));
    }

    void compare(const Row& a, const Row& b) {
        ++result_.counts.total;
        if (!conflicts_) represent(a.first.first, b.first.first);
        conflicts_ = true;
        const LockVerdict locks =
            a.guarded && b.guarded ? LockVerdict::excluded_by_lockset : locks_(a.profile, b.profile);
        const bool locks_allow = locks == LockVerdict::compatible;
        const std::uint64_t pairs = a.single && b.single ? concurrent_singles(a, b, locks_allow)
                                                         : concurrent_pairs(*a.group, *b.group, locks_allow);
        result_.counts.lock_analysis += locks_allow ? 1U : 0U;
        result_.counts.hard_order += pairs > 0 ? 1U : 0U;
        if (locks == LockVerdict::excluded_by_lockset) return; // what a candidate starts with
        if (pairs == 0) return refute(Filter::hard_order);
        if (!locks_allow) return refute(Filter::acquisition_history);
        candidate_.event_pairs += pairs;
    }

    std::uint64_t concurrent_singles(const Row& a, const Row& b, bool keep_sample) {
        if (b.first.index < order_.needed(a.first.segment, b.thread) ||
            a.first.index < order_.needed(b.first.segment, a.thread)) {
            return 0;
        }
        if (keep_sample && samples_.size() < kPairsTried)
            samples_.push_back(ordered(a.first.first, b.first.first));
        return std::uint64_t{a.first.count} * b.first.count;
    }

    /// Pairs of accesses that the hard order does not order. Parts ascend and the order is monotone, so one
    /// pass with two pointers finds them all: O(parts).
    std::uint64_t concurrent_pairs(const AccessGroup& a, const AccessGroup& b, bool keep_samples) {
        std::uint64_t count = 0;
        std::uint64_t in_window = 0;
        std::size_t low = 0;
        std::size_t high = 0;
        for (const GroupPart& part : a.parts) {
            while (low < b.parts.size() && b.parts[low].index < order_.needed(part.segment, b.thread)) {
                if (low < high) in_window -= b.parts[low].count;
                ++low;
            }
            high = std::max(high, low);
            while (high < b.parts.size() && order_.needed(b.parts[high].segment, a.thread) <= part.index) {
                in_window += b.parts[high++].count;
            }
            if (low == high) continue;
            count += part.count * in_window;
            if (keep_samples && samples_.size() < kPairsTried)
                samples_.push_back(ordered(part.first, b.parts[low].first));
        }
        return count;
    }

    static Race ordered(EventId a, EventId b) { return a < b ? Race{a, b} : Race{b, a}; }
    void represent(EventId a, EventId b) { candidate_.representative = ordered(a, b); }

    /// Keeps the refutation by the most exact filter: it says most about why the race cannot be.
    void refute(Filter by, std::string why = {}) {
        auto& refuted = std::get<Refuted>(candidate_.verdict);
        if (by >= refuted.by) refuted = {by, std::move(why)};
    }

    /// One way to reach the pair of places is enough.
    void decide() {
        for (const Race& race : samples_) {
            const UcgVerdict verdict = causality_.decide(race);
            candidate_.representative = race;
            if (!verdict.complete) {
                candidate_.verdict = Undecided{"what would have to be looked at is too large"};
                return;
            }
            if (verdict.feasible) {
                candidate_.verdict = Possible{};
                ++result_.counts.causality;
                return;
            }
            refute(Filter::causality_graph, explain(trace_, verdict));
        }
        if (candidate_.event_pairs > samples_.size()) {
            candidate_.verdict =
                Undecided{"the pairs of events that were tried cannot meet; others were not tried"};
        }
    }

    const Trace& trace_;
    const HardOrder& order_;
    const LockProfiles& profiles_;
    LockTable locks_;
    const CausalityGraph& causality_;
    RaceCandidate candidate_;
    bool conflicts_ = false;
    std::vector<Race> samples_; ///< pairs of the candidate that no cheap filter rules out
    RaceAnalysis result_;
};

} // namespace

RaceAnalysis find_races(const Trace& trace, const std::vector<AccessGroup>& groups, const HardOrder& order,
                        LockProfiles& profiles, const CausalityGraph& causality) {
    RaceFinder finder(trace, order, profiles, causality);
    for (auto first = groups.begin(); first != groups.end();) {
        const auto last = std::find_if(
            first, groups.end(), [&](const AccessGroup& group) { return group.variable != first->variable; });
        finder.add_variable({first, last});
        first = last;
    }
    return finder.take();
}

} // namespace heddle
