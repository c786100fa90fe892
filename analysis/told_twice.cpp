#include "analysis/told_twice.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>

namespace heddle {

namespace {

/// A variable and two places in either order.
using Places = std::array<std::uint32_t, 3>;

Places places(std::uint32_t variable, std::uint32_t one, std::uint32_t other) {
    return {variable, std::min(one, other), std::max(one, other)};
}

bool is_refuted(const Verdict& verdict) {
    return std::holds_alternative<Refuted>(verdict);
}

/// As if its intent were a more certain one.
CandidateKey with_intent(CandidateKey key, Intent intent) {
    key.parts.resize(kIntentPart);
    if (intent != Intent::recorded) key.parts.push_back(static_cast<std::uint32_t>(intent));
    return key;
}

} // namespace

std::vector<bool> told_by_others(std::span<const Candidate> candidates,
                                 std::span<const DecidedCandidate> decided) {
    std::vector<bool> result(candidates.size());
    const auto is_guess = [](const Candidate& candidate) {
        return intent_of(candidate.key) != Intent::recorded;
    };
    if (std::ranges::none_of(candidates, is_guess)) return result;
    std::set<Places> races;
    std::set<CandidateKey> violations;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const CandidateKey& key = candidates[i].key;
        if (is_refuted(decided[i].verdict)) continue;
        if (key.kind == FindingKind::race) races.insert(places(key.parts[0], key.parts[1], key.parts[2]));
        if (key.kind == FindingKind::atomicity) violations.insert(key);
    }
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const CandidateKey& key = candidates[i].key;
        const Intent intent = intent_of(key);
        if (intent == Intent::recorded) continue;
        result[i] = violations.contains(with_intent(key, Intent::recorded));
        if (intent == Intent::marked) continue;
        const auto races_with_remote = [&](std::size_t own) {
            return races.contains(places(key.parts[0], key.parts[own], key.parts[3]));
        };
        result[i] = result[i] || violations.contains(with_intent(key, Intent::marked)) ||
                    races_with_remote(1) || races_with_remote(2);
    }
    return result;
}

void keep_widest(std::vector<Finding>& findings) {
    std::map<Places, Inference> widest;
    const auto end_of = [](const Finding& finding) {
        return Places{finding.key.parts[0], finding.key.parts[2], finding.key.parts[3]};
    };
    for (const Finding& finding : findings) {
        if (!finding.inferred || is_refuted(finding.verdict)) continue;
        const auto [known, added] = widest.emplace(end_of(finding), *finding.inferred);
        if (!added) known->second = std::max(known->second, *finding.inferred);
    }
    std::erase_if(findings, [&](const Finding& finding) {
        if (!finding.inferred) return false;
        const auto known = widest.find(end_of(finding));
        return known != widest.end() && *finding.inferred < known->second;
    });
}

} // namespace heddle
