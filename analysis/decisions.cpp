#include "analysis/decisions.h"

#include "analysis/ucg_shared.h"

#include <algorithm>

namespace heddle {

namespace {

/// How many properties are decided between two looks at whether to stop.
constexpr std::size_t kBatch = 2048;

/// A candidate on its way: which of its samples is next.
struct Open {
    std::size_t candidate = 0;
    std::size_t sample = 0;
};

/// What the samples tried so far leave: nothing more to try.
Verdict without_feasible_sample(const Candidate& candidate) {
    if (candidate.samples.empty()) {
        if (candidate.more) return Undecided{"there are too many ways to look at"};
        return candidate.refuted;
    }
    if (candidate.more) return Undecided{"the events that were tried cannot meet; others were not tried"};
    return Refuted{Filter::causality_graph, {}};
}

std::vector<UcgVerdict> decide_with(const Workers& workers, const CausalityGraph& causality,
                                    std::span<const Property> properties) {
    if (workers.count <= 1) return decide_all(causality, properties);
    const std::size_t share = (properties.size() + workers.count - 1) / workers.count;
    std::vector<std::vector<UcgVerdict>> parts(share == 0 ? 0 : (properties.size() + share - 1) / share);
    workers(parts.size(), [&](std::size_t i) {
        parts[i] = decide_all(causality,
                              properties.subspan(i * share, std::min(share, properties.size() - i * share)));
    });
    std::vector<UcgVerdict> result;
    for (std::vector<UcgVerdict>& part : parts) std::ranges::move(part, std::back_inserter(result));
    return result;
}

} // namespace

std::vector<Property> Decisions::feasible_of(const CausalityGraph& causality,
                                             std::span<const Property> properties) {
    const std::vector<UcgVerdict> verdicts = decide_all(causality, properties);
    std::vector<Property> result;
    for (std::size_t i = 0; i < properties.size(); ++i) {
        if (verdicts[i].feasible && verdicts[i].complete) result.push_back(properties[i]);
    }
    return result;
}

std::vector<DecidedCandidate> Decisions::decide(const CausalityGraph& causality,
                                                std::span<const Candidate> candidates, const Workers& workers,
                                                const Progress& progress) {
    std::vector<DecidedCandidate> result;
    result.reserve(candidates.size());
    std::vector<Open> open; // the last one is next
    for (const Candidate& candidate : candidates) {
        if (!candidate.samples.empty()) open.push_back({result.size(), 0});
        result.push_back({without_feasible_sample(candidate), candidate.representative});
    }
    std::ranges::reverse(open);
    while (!open.empty()) {
        if (progress && !progress(candidates.size() - open.size(), candidates.size())) break;
        std::vector<Open> asked;
        std::vector<Property> questions;
        for (; !open.empty() && asked.size() < kBatch; open.pop_back()) {
            const Property& sample = candidates[open.back().candidate].samples[open.back().sample];
            if (feasible_.contains(sample)) {
                result[open.back().candidate] = {Possible{}, sample};
            } else {
                asked.push_back(open.back());
                questions.push_back(sample);
            }
        }
        const std::vector<UcgVerdict> verdicts = decide_with(workers, causality, questions);
        for (std::size_t i = asked.size(); i-- > 0;) {
            DecidedCandidate& decided = result[asked[i].candidate];
            decided.representative = questions[i];
            if (!verdicts[i].complete) {
                decided.verdict = Undecided{"what would have to be looked at is too large"};
            } else if (verdicts[i].feasible) {
                decided.verdict = Possible{};
                feasible_.insert(std::move(questions[i]));
            } else if (++asked[i].sample < candidates[asked[i].candidate].samples.size()) {
                open.push_back(asked[i]);
            }
        }
    }
    for (const Open& one : open) result[one.candidate].verdict = Undecided{"stopped before it was looked at"};
    return result;
}

} // namespace heddle
