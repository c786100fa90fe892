#include "daemon/cli/analysis_stats.h"

#include "analysis/transactions.h"
#include "daemon/cli/output.h"
#include "daemon/report/number_words.h"
#include "traces/summary.h"

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::cli {

namespace {

/// The first columns of the tables: what the analysis had before it.
struct TraceNumbers {
    std::uint64_t lock_events = 0;
    std::uint64_t wait_events = 0; ///< for conditions, and notifies
    std::uint64_t locks = 0;
    std::uint64_t conditions = 0;
    std::uint64_t shared_variables = 0;
    std::uint64_t transactions = 0;
};

TraceNumbers numbers_of(const Trace& trace) {
    const Summary summary = summarize(trace);
    const auto count = [&](std::initializer_list<EventKind> kinds) {
        std::uint64_t sum = 0;
        for (const EventKind kind : kinds) sum += summary.by_kind[static_cast<std::size_t>(kind)];
        return sum;
    };
    return {.lock_events = count({EventKind::acquire, EventKind::release, EventKind::acquire_shared,
                                  EventKind::release_shared}),
            .wait_events =
                count({EventKind::wait_pre, EventKind::wait_post, EventKind::notify, EventKind::notify_all}),
            .locks = trace.objects(ObjectKind::lock).size(),
            .conditions = trace.objects(ObjectKind::condition).size(),
            .shared_variables = summary.shared_variables,
            .transactions = transactions(trace).size()};
}

std::uint64_t sum(const std::array<std::uint64_t, kWitnessStages>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

/// Over all kinds.
WitnessCounts all_witnesses(const Analysis& analysis) {
    WitnessCounts all;
    for (const WitnessCounts& one : analysis.witnesses) {
        for (std::size_t stage = 0; stage < kWitnessStages; ++stage) {
            all.witnessed[stage] += one.witnessed[stage];
            all.refuted[stage] += one.refuted[stage];
        }
        all.open += one.open;
    }
    return all;
}

/// By pattern: violations that are witnessed or possible.
std::array<std::uint64_t, kAtomicityPatternNames.size()> patterns_of(const Analysis& analysis) {
    std::array<std::uint64_t, kAtomicityPatternNames.size()> patterns{};
    for (const Finding& finding : analysis.findings) {
        const auto* triple = std::get_if<AtomicityViolation>(&finding.property);
        const bool stands = std::holds_alternative<Witnessed>(finding.verdict) ||
                            std::holds_alternative<Possible>(finding.verdict);
        if (triple != nullptr && stands) ++patterns[static_cast<std::size_t>(triple->pattern)];
    }
    return patterns;
}

std::string stages_text(const Analysis& analysis) {
    const WitnessCounts all = all_witnesses(analysis);
    std::vector<std::string> stages;
    for (std::size_t stage = 0; stage < kWitnessStages; ++stage) {
        stages.push_back(fmt::format("{} {} + {}", kWitnessStageNames[stage],
                                     report::grouped(all.witnessed[stage]),
                                     report::grouped(all.refuted[stage])));
    }
    return fmt::format("witnessed + refuted by data: {}; open {}\n", fmt::join(stages, " · "),
                       report::grouped(all.open));
}

} // namespace

std::string stats_text(const Trace& trace, const Analysis& analysis, const AnalysisTimes& times) {
    const TraceNumbers numbers = numbers_of(trace);
    std::string text =
        fmt::format("trace: {}, {} ({} of locks, {} of waits and notifies), {}, {}, {}, {}\n",
                    report::counted(trace.thread_count(), "thread"), report::counted(trace.size(), "event"),
                    report::grouped(numbers.lock_events), report::grouped(numbers.wait_events),
                    report::counted(numbers.locks, "lock"), report::counted(numbers.conditions, "condition"),
                    report::counted(numbers.shared_variables, "shared variable"),
                    report::counted(numbers.transactions, "transaction"));
    text += "           total      lsa      mhb      ucg     wits     time\n";
    for (std::size_t kind = 0; kind < kFindingKinds; ++kind) {
        const FunnelCounts& counts = analysis.counts[kind];
        text += fmt::format("{:<10}{:>6} {:>8} {:>8} {:>8} {:>8} {:>8}\n", kFindingKindNames[kind],
                            counts.total, counts.lock_analysis, counts.hard_order, counts.causality,
                            sum(analysis.witnesses[kind].witnessed),
                            times.of_kind ? fmt::format("{:.2f} s", (*times.of_kind)[kind]) : "");
    }
    text += stages_text(analysis);
    const auto patterns = patterns_of(analysis);
    std::vector<std::string> words;
    for (std::size_t i = 0; i < patterns.size(); ++i)
        words.push_back(fmt::format("{} {}", kAtomicityPatternNames[i], report::grouped(patterns[i])));
    text += fmt::format("atomicity violations: {}\n", fmt::join(words, ", "));
    const PhaseOneSizes& sizes = analysis.phase_one;
    return text +
           fmt::format(
               "phase I: R {}, W {}, WW {}, AA {}; {} lock profiles, {} locksets; {} segments; {:.2f} s\n",
               report::grouped(sizes.reads), report::grouped(sizes.writes),
               report::grouped(sizes.write_pairs), report::grouped(sizes.access_pairs),
               report::grouped(sizes.profiles), report::grouped(sizes.locksets),
               report::grouped(analysis.segments), times.all);
}

nlohmann::json stats_json(const Trace& trace, const Analysis& analysis, const AnalysisTimes& times) {
    const TraceNumbers numbers = numbers_of(trace);
    nlohmann::json json = {{"seconds", times.all},
                           {"trace",
                            {{"threads", trace.thread_count()},
                             {"events", trace.size()},
                             {"lock_events", numbers.lock_events},
                             {"wait_events", numbers.wait_events},
                             {"locks", numbers.locks},
                             {"conditions", numbers.conditions},
                             {"shared_variables", numbers.shared_variables},
                             {"transactions", numbers.transactions}}}};
    for (std::size_t kind = 0; kind < kFindingKinds; ++kind) {
        const FunnelCounts& counts = analysis.counts[kind];
        nlohmann::json& columns = json[std::string(kFindingKindNames[kind])];
        columns = {{"total", counts.total},
                   {"lsa", counts.lock_analysis},
                   {"mhb", counts.hard_order},
                   {"ucg", counts.causality},
                   {"wits", sum(analysis.witnesses[kind].witnessed)}};
        if (times.of_kind) columns["time"] = (*times.of_kind)[kind];
    }
    const WitnessCounts all = all_witnesses(analysis);
    for (std::size_t stage = 0; stage < kWitnessStages; ++stage) {
        json["witnesses"][std::string(kWitnessStageNames[stage])] = {{"witnessed", all.witnessed[stage]},
                                                                     {"refuted", all.refuted[stage]}};
    }
    json["witnesses"]["open"] = all.open;
    const auto patterns = patterns_of(analysis);
    for (std::size_t i = 0; i < patterns.size(); ++i)
        json["patterns"][std::string(kAtomicityPatternNames[i])] = patterns[i];
    const PhaseOneSizes& sizes = analysis.phase_one;
    json["phase_one"] = {{"reads", sizes.reads},
                         {"writes", sizes.writes},
                         {"write_pairs", sizes.write_pairs},
                         {"access_pairs", sizes.access_pairs},
                         {"profiles", sizes.profiles},
                         {"locksets", sizes.locksets}};
    return json;
}

} // namespace heddle::cli
