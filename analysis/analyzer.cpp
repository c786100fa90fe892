#include "analysis/analyzer.h"

#include "analysis/lock_futures.h"
#include "analysis/told_twice.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <utility>

namespace heddle {

namespace {

void count(const PhaseOne& accesses, PhaseOneSizes& sizes) {
    for (const PhaseOne::Sets* sets : accesses.sets()) {
        sizes.reads += sets->cells.size() - sets->cells.writes();
        sizes.writes += sets->cells.writes();
        sizes.access_pairs += sets->pairs.all().size();
        sizes.write_pairs += sets->pairs.both_write();
    }
}

/// "all hold 'm'": why accesses exclude each other.
std::string common_locks(const Trace& trace, const std::vector<FindingAccess>& accesses) {
    std::string names;
    for (const LockUse& use : accesses.front().locks) {
        const bool by_all = std::ranges::all_of(accesses, [&](const FindingAccess& access) {
            return std::ranges::find(access.locks, use.lock, &LockUse::lock) != access.locks.end();
        });
        if (!by_all) continue;
        if (!names.empty()) names += ", ";
        names += "'" + trace.display_name(ObjectKind::lock, use.lock.value) + "'";
    }
    return names.empty() ? "their locks exclude each other" : "all hold " + names;
}

/// The columns of the papers' tables are about what the run itself shows.
bool is_counted(const CandidateKey& key) {
    return intent_of(key) != Intent::inferred;
}

/// The graph refuted the accesses that represent others: the first round of a loop, say.
bool is_partly_tried(const Candidate& candidate, const Verdict& verdict) {
    return std::holds_alternative<Undecided>(verdict) && candidate.more && !candidate.samples.empty();
}

bool same(const Finding& a, const Finding& b) {
    return a.verdict == b.verdict && a.property == b.property && a.count == b.count &&
           a.count_exact == b.count_exact && a.variables == b.variables;
}

} // namespace

Analyzer::Analyzer(AnalyzeOptions options) : options_(std::move(options)) {}

/// What is known of many variables takes a while to free.
Analyzer::~Analyzer() {
    if (run_) options_.workers(run_->searches.size(), [&](std::size_t i) { run_->searches[i].reset(); });
}

const Analysis& Analyzer::extend(const Trace& trace, const Progress& progress) {
    trace_ = trace;
    bool stopped = false;
    const Progress until_stopped = [&](std::uint64_t done, std::uint64_t total) {
        stopped = stopped || (progress && !progress(done, total));
        return !stopped;
    };
    const bool goes_on = run_ && extend_run(trace, until_stopped);
    if (!goes_on) {
        if (run_) started_over_at_ = trace.size();
        run_ = std::make_unique<Run>();
        static_cast<void>(extend_run(trace, until_stopped));
    }
    // What was found before the stop is still decided: that is what there is to tell. Witnesses may take
    // minutes, which is not what who stops it wants.
    Analysis before = std::exchange(
        analysis_, conclude(trace, stopped ? Progress{} : progress, options_.witnesses && !stopped));
    compare_with(before);
    return analysis_;
}

void Analyzer::use(std::shared_ptr<const SourceBlocks> source) {
    options_.source = std::move(source);
    run_.reset();
}

/// False: what was known of earlier events no longer holds.
bool Analyzer::extend_run(const Trace& trace, const Progress& progress) {
    if (!run_->causality.extend_seeds(trace)) return false;
    run_->order.extend(trace, run_->causality.seeds());
    if (run_->searches.empty()) start_searches();
    const auto rest = [&] { run_->causality.extend_rest(); };
    if (!search(trace, progress, rest)) return true; // told to stop
    // Which threads disagree about the order of locks is known only now, as a rule that none does.
    std::vector<bool> reversed =
        threads_with_reversed_locks(run_->searches[0]->accesses().profiles(), trace.thread_count());
    if (!options_.atomicity || std::ranges::equal(reversed, run_->futures)) return true;
    const bool any = std::ranges::any_of(reversed, std::identity{});
    if (!any && std::ranges::none_of(run_->futures, std::identity{})) return true;
    run_->futures = std::move(reversed);
    start_searches();
    static_cast<void>(search(trace, progress, {}));
    return true;
}

void Analyzer::start_searches() {
    run_->searches.clear();
    const CandidateSearch::Wanted wanted{.races = options_.races,
                                         .atomicity = options_.atomicity,
                                         .limits = options_.all_ways ? kAllWays : WayLimits{}};
    const auto shards =
        static_cast<std::uint32_t>(std::bit_floor(std::max<std::size_t>(options_.workers.count, 1)));
    for (std::uint32_t shard = 0; shard < shards; ++shard) {
        const PhaseOneOptions options{.given = options_.transactions,
                                      .source = options_.source.get(),
                                      .futures = run_->futures,
                                      .order = &run_->order,
                                      .shard = shard,
                                      .shards = shards};
        run_->searches.push_back(std::make_unique<CandidateSearch>(options, wanted));
    }
}

/// Phase I and the candidates in all shards; whoever is done first does what is to be done besides. False:
/// told to stop, with the candidates of what was taken by then.
bool Analyzer::search(const Trace& trace, const Progress& progress, const std::function<void()>& besides) {
    std::atomic<bool> stopped = false;
    // One shard asks, the others hear of it.
    const Progress ask = [&](std::uint64_t done, std::uint64_t total) {
        if (progress && !progress(done, total)) stopped = true;
        return !stopped;
    };
    const Progress listen = [&](std::uint64_t, std::uint64_t) { return !stopped; };
    const std::size_t shards = run_->searches.size();
    options_.workers(shards + (besides ? 1U : 0U), [&](std::size_t task) {
        if (task == shards) return besides();
        run_->searches[task]->extend(trace, task == 0 ? ask : listen);
        run_->searches[task]->search();
    });
    return !stopped;
}

Analysis Analyzer::conclude(const Trace& trace, const Progress& progress, bool with_witnesses) {
    Analysis result;
    DeadlockCandidates deadlocks;
    const PhaseOne& accesses = run_->searches[0]->accesses();
    if (options_.deadlocks) {
        deadlocks = find_deadlocks(accesses.dependencies().all(), run_->order,
                                   run_->searches[0]->accesses().profiles(),
                                   options_.refuted || options_.count_refuted, progress);
        if (!deadlocks.complete)
            result.limits_reached.emplace_back("the search for deadlocks stopped before its end");
    }
    if (accesses.taken() < trace.size()) {
        result.limits_reached.push_back("stopped after " + std::to_string(accesses.taken()) + " of " +
                                        std::to_string(trace.size()) + " events");
    }
    if (!std::ranges::all_of(run_->searches, [](const auto& one) { return one->accesses().whole(); })) {
        result.limits_reached.emplace_back("the stop left out some of what threads did in critical sections "
                                           "and blocks that they were still in");
    }

    const std::vector<Candidate> candidates = gather(deadlocks, result);
    std::vector<DecidedCandidate> decided =
        run_->decisions.decide(run_->causality, candidates, options_.workers, progress);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (std::holds_alternative<Possible>(decided[i].verdict) && is_counted(candidates[i].key))
            ++result.counts[static_cast<std::size_t>(candidates[i].key.kind)].causality;
    }
    std::vector<bool> told = told_by_others(candidates, decided);
    if (!candidates.empty()) same_bug_.extend(trace);
    if (with_witnesses) {
        find_witnesses(candidates, told, decided, result, progress);
        // What said the same may have turned out to be impossible.
        const std::vector<bool> before = std::exchange(told, told_by_others(candidates, decided));
        std::vector<bool> known(candidates.size());
        for (std::size_t i = 0; i < known.size(); ++i) known[i] = !before[i] || told[i];
        if (std::ranges::find(known, false) != known.end())
            find_witnesses(candidates, known, decided, result, progress);
    }
    result.findings.reserve(candidates.size());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (told[i] || (!options_.refuted && std::holds_alternative<Refuted>(decided[i].verdict))) continue;
        result.findings.push_back(finding(candidates[i], std::move(decided[i])));
    }
    keep_widest(result.findings);
    keep_one_of_each(same_bug_, result.findings);
    result.segments = run_->order.segments();
    result.phase_one.profiles = accesses.profiles().size();
    result.phase_one.locksets = accesses.profiles().lockset_count();
    return result;
}

/// Replaces the verdicts of candidates that are possible, or may be in a way that was not tried, by what the
/// search for witnesses says.
void Analyzer::find_witnesses(std::span<const Candidate> candidates, const std::vector<bool>& left_out,
                              std::span<DecidedCandidate> decided, Analysis& result,
                              const Progress& progress) {
    std::vector<WitnessQuestion> questions;
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const bool possible = std::holds_alternative<Possible>(decided[i].verdict);
        if (left_out[i] || !(possible || is_partly_tried(candidates[i], decided[i].verdict))) continue;
        questions.push_back(
            {&candidates[i], decided[i].representative, same_bug_.of(candidates[i].key), !possible});
        of.push_back(i);
    }
    std::vector<WitnessAnswer> answers = witnesses_.search(
        trace_, run_->causality, run_->searches[0]->accesses(), questions,
        {options_.witness_budget, !options_.transactions.empty(), options_.workers, options_.source.get()},
        progress);
    for (std::size_t k = 0; k < answers.size(); ++k) {
        const CandidateKey& key = candidates[of[k]].key;
        WitnessCounts& counts = result.witnesses[static_cast<std::size_t>(key.kind)];
        if (is_counted(key) && !answers[k].settled_by) ++counts.open;
        if (is_counted(key) && answers[k].settled_by) {
            const auto stage = static_cast<std::size_t>(*answers[k].settled_by);
            ++(std::holds_alternative<Witnessed>(answers[k].verdict) ? counts.witnessed
                                                                     : counts.refuted)[stage];
        }
        decided[of[k]] = {std::move(answers[k].verdict), std::move(answers[k].property)};
    }
}

/// By kind, then by variable: the order does not depend on how the work was divided.
std::vector<Candidate> Analyzer::gather(const DeadlockCandidates& deadlocks, Analysis& result) const {
    std::map<VarId, CandidateSearch*> variables;
    for (const auto& search : run_->searches) {
        for (const auto& [id, found] : search->found())
            variables.emplace_hint(variables.end(), id, search.get());
        count(search->accesses(), result.phase_one);
    }
    std::vector<Candidate> candidates;
    std::array<std::size_t, kFindingKinds> taken{};
    std::array<std::size_t, kFindingKinds> left_out{};
    const auto add = [&](std::vector<Candidate> more, CandidateSearch* search) {
        for (Candidate& candidate : more) {
            const auto kind = static_cast<std::size_t>(candidate.key.kind);
            const bool open = candidate.ways || candidate.more;
            if (open && (taken[kind] == options_.max_findings || (!candidate.ways && !options_.refuted))) {
                ++left_out[kind];
                continue;
            }
            if (!open && !options_.refuted) continue;
            taken[kind] += open ? 1U : 0U;
            if (candidate.ways && search != nullptr) candidate.samples = search->samples(candidate);
            candidates.push_back(std::move(candidate));
        }
    };
    // What would be left out anyway need not be spelled out.
    const auto enough = [&](FindingKind kind) {
        return !options_.refuted && taken[static_cast<std::size_t>(kind)] == options_.max_findings;
    };
    auto& [race_counts, violation_counts, deadlock_counts] = result.counts;
    for (const auto& [id, search] : variables) {
        const CandidateSearch::Found& found = search->found().at(id);
        if (!found.complete) {
            result.limits_reached.push_back(trace_.display_name(ObjectKind::variable, id.value) +
                                            ": there are too many ways to access it to compare them all");
        }
        race_counts += found.races.counts;
        violation_counts += found.violations.counts;
        if (enough(FindingKind::race)) {
            left_out[static_cast<std::size_t>(FindingKind::race)] += found.races.open;
        } else if (found.races.counts.total > 0) {
            add(search->races(id), search);
        }
    }
    for (const auto& [id, search] : variables) {
        const CandidateNumbers& violations = search->found().at(id).violations;
        if (enough(FindingKind::atomicity)) {
            left_out[static_cast<std::size_t>(FindingKind::atomicity)] += violations.open;
        } else if (violations.counts.total > 0) {
            add(search->violations(id), search);
        }
    }
    for (const auto& [id, search] : variables) {
        const CandidateNumbers& inferred = search->found().at(id).inferred;
        if (enough(FindingKind::atomicity)) {
            left_out[static_cast<std::size_t>(FindingKind::atomicity)] += inferred.open;
        } else if (inferred.counts.total > 0) {
            add(search->inferred(id), search);
        }
    }
    add(deadlocks.found, nullptr);
    deadlock_counts = deadlocks.counts;
    for (std::size_t kind = 0; kind < kFindingKinds; ++kind) {
        if (left_out[kind] == 0) continue;
        result.limits_reached.push_back(std::string(kFindingKindNames[kind]) + ": looked at " +
                                        std::to_string(taken[kind]) + " candidates and not at " +
                                        std::to_string(left_out[kind]) + " more");
    }
    return candidates;
}

Finding Analyzer::finding(const Candidate& candidate, DecidedCandidate decided) const {
    Finding result{.key = candidate.key,
                   .verdict = std::move(decided.verdict),
                   .property = std::move(decided.representative),
                   .count = candidate.count,
                   .count_exact = candidate.count_exact};
    const bool feasible =
        std::holds_alternative<Possible>(result.verdict) || std::holds_alternative<Witnessed>(result.verdict);
    if (options_.all_ways && feasible)
        result.ways = Decisions::feasible_of(run_->causality, candidate.samples);
    if (const auto* triple = std::get_if<AtomicityViolation>(&result.property);
        triple != nullptr && result.intent() == Intent::inferred) {
        result.inferred =
            options_.source->inference(trace_[triple->first].stack(), trace_[triple->second].stack());
    }
    const PhaseOne& accesses = run_->searches[0]->accesses();
    for (const EventId event : events_of(result.property)) {
        const auto held = accesses.profiles().lockset(accesses.profile_before(trace_[event].thread(), event));
        result.accesses.push_back({event, {held.begin(), held.end()}});
    }
    if (auto* refuted = std::get_if<Refuted>(&result.verdict); refuted != nullptr && refuted->why.empty())
        refuted->why = refuted->by == Filter::lockset
                           ? common_locks(trace_, result.accesses)
                           : explain(trace_, run_->causality.decide(result.property));
    return result;
}

void Analyzer::compare_with(const Analysis& before) {
    changes_ = {};
    std::map<CandidateKey, const Finding*> known;
    for (const Finding& finding : before.findings) known.emplace(finding.key, &finding);
    for (std::size_t i = 0; i < analysis_.findings.size(); ++i) {
        const auto at = known.find(analysis_.findings[i].key);
        if (at == known.end()) {
            changes_.added.push_back(i);
            continue;
        }
        if (!same(*at->second, analysis_.findings[i])) changes_.changed.push_back(i);
        known.erase(at);
    }
    for (const auto& [key, finding] : known) changes_.gone.push_back(key);
}

PropertyId Analyzer::add(const Property& property) {
    own_.emplace_back(property);
    return PropertyId{own_.size() - 1};
}

Verdict Analyzer::verdict(PropertyId id) {
    const std::optional<Property>& property = own_[id.value];
    if (!property || !run_) return Undecided{"there is no such property"};
    const std::vector<Candidate> asked = {{.representative = *property, .samples = {*property}}};
    Verdict verdict = run_->decisions.decide(run_->causality, asked, {}).front().verdict;
    if (auto* refuted = std::get_if<Refuted>(&verdict))
        refuted->why = explain(trace_, run_->causality.decide(*property));
    return verdict;
}

} // namespace heddle
