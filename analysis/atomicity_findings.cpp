#include "analysis/atomicity_findings.h"

#include "analysis/access_groups.h"
#include "analysis/atomicity.h"
#include "analysis/atomicity_witnesses.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace heddle {

namespace {

/// How many triples of one candidate the causality graph is asked about before it stays undecided.
constexpr std::size_t kTriplesTried = 16;

class AtomicityFinder {
  public:
    AtomicityFinder(const Trace& trace, const HardOrder& order, const CausalityGraph& causality,
                    AtomicityWitnesses& witnesses)
        : trace_(trace), order_(order), causality_(causality), witnesses_(witnesses) {}

    AtomicityAnalysis run() {
        std::map<VarId, std::vector<const RemoteWitness*>> remote;
        for (const RemoteWitness& one : witnesses_.remote()) remote[one.variable].push_back(&one);
        std::map<Site, std::vector<const TransactionWitness*>> sites;
        for (const TransactionWitness& one : witnesses_.transactional()) {
            sites[{one.variable, one.first_tag.place, one.second_tag.place}].push_back(&one);
        }
        VarId variable;
        std::map<PlaceId, std::vector<const RemoteWitness*>> by_place;
        for (const auto& [site, transactional] : sites) {
            if (std::get<VarId>(site) != variable) {
                variable = std::get<VarId>(site);
                by_place.clear();
                for (const RemoteWitness* one : remote[variable]) by_place[one->tag.place].push_back(one);
            }
            for (const auto& [place, others] : by_place) compare(site, place, transactional, others);
        }
        return std::move(result_);
    }

  private:
    using Site = std::tuple<VarId, PlaceId, PlaceId>; ///< variable, first and second place

    void compare(const Site& site, PlaceId remote_place,
                 const std::vector<const TransactionWitness*>& transactional,
                 const std::vector<const RemoteWitness*>& remote) {
        candidate_ = {.variable = std::get<0>(site),
                      .first_place = std::get<1>(site),
                      .remote_place = remote_place,
                      .second_place = std::get<2>(site),
                      .verdict = Refuted{}};
        found_ = false;
        tried_ = 0;
        left_untried_ = false;
        for (const TransactionWitness* one : transactional) {
            for (const RemoteWitness* other : remote) {
                consider(*one, *other);
                if (std::holds_alternative<Possible>(candidate_.verdict)) break;
            }
            if (std::holds_alternative<Possible>(candidate_.verdict)) break;
        }
        if (!found_) return;
        if (left_untried_ && std::holds_alternative<Refuted>(candidate_.verdict)) {
            candidate_.verdict = Undecided{"the events that were tried cannot meet; others were not tried"};
        }
        result_.candidates.push_back(std::move(candidate_));
    }

    void consider(const TransactionWitness& one, const RemoteWitness& other) {
        const auto pattern = atomicity_pattern(one.first_writes, other.writes, one.second_writes);
        if (one.thread == other.thread || !pattern || !other.bytes.overlaps(one.first_bytes) ||
            !other.bytes.overlaps(one.second_bytes)) {
            return;
        }
        const AtomicityViolation violation{one.first, other.event, one.second, *pattern};
        if (!found_) candidate_.representative = violation;
        found_ = true;
        ++result_.counts.total;
        LockProfiles& profiles = witnesses_.profiles();
        const LockVerdict locks = profiles.verdict(one.profile, other.profile);
        const bool locks_allow =
            locks == LockVerdict::compatible &&
            witnesses_.futures().completable(profiles.histories(), one.future, other.future);
        const bool order_allows = !before(other.thread, other.tag, one.thread, one.first_tag) &&
                                  !before(one.thread, one.second_tag, other.thread, other.tag);
        result_.counts.lock_analysis += locks_allow ? 1U : 0U;
        result_.counts.hard_order += order_allows ? 1U : 0U;
        if (locks == LockVerdict::excluded_by_lockset) return refute(Filter::lockset);
        if (!order_allows) return refute(Filter::hard_order);
        if (!locks_allow) return refute(Filter::acquisition_history);
        decide(violation);
    }

    [[nodiscard]] bool before(ThreadId a_thread, const AccessTag& a, ThreadId b_thread,
                              const AccessTag& b) const {
        return order_.before({a_thread, a.index, a.segment}, {b_thread, b.index, b.segment});
    }

    /// Keeps the refutation by the most exact filter: it says most about why it cannot happen.
    void refute(Filter by, std::string why = {}) {
        auto& refuted = std::get<Refuted>(candidate_.verdict);
        if (by >= refuted.by) refuted = {by, std::move(why)};
    }

    void decide(const AtomicityViolation& violation) {
        if (tried_ == kTriplesTried) {
            left_untried_ = true;
            return;
        }
        ++tried_;
        const UcgVerdict verdict = causality_.decide(violation);
        candidate_.representative = violation;
        if (!verdict.complete) {
            left_untried_ = true;
        } else if (verdict.feasible) {
            ++result_.counts.causality;
            candidate_.verdict = Possible{};
        } else {
            // A witness stands for others like it: what holds for it need not hold for them.
            left_untried_ = true;
            refute(Filter::causality_graph, explain(trace_, verdict));
        }
    }

    const Trace& trace_;
    const HardOrder& order_;
    const CausalityGraph& causality_;
    AtomicityWitnesses& witnesses_;
    AtomicityFindingCandidate candidate_;
    bool found_ = false;
    bool left_untried_ = false;
    std::size_t tried_ = 0;
    AtomicityAnalysis result_;
};

} // namespace

AtomicityAnalysis find_atomicity(const Trace& trace, const HardOrder& order, const CausalityGraph& causality,
                                 std::span<const TransactionBlock> given) {
    const std::vector<bool> shared = shared_variables(trace);
    AtomicityWitnesses witnesses{given, {}, kMaxPlaces, &order, &shared};
    witnesses.finish(trace);
    const std::vector<bool> blocking = threads_that_may_block(witnesses.profiles(), trace.thread_count());
    if (std::ranges::none_of(blocking, std::identity{})) {
        return AtomicityFinder(trace, order, causality, witnesses).run();
    }
    AtomicityWitnesses with_futures{given, blocking, kMaxPlaces, &order, &shared};
    with_futures.finish(trace);
    return AtomicityFinder(trace, order, causality, with_futures).run();
}

} // namespace heddle
