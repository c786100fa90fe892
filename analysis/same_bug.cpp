#include "analysis/same_bug.h"

#include "analysis/witness/search.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace heddle {

namespace {

/// "accounts" of "accounts[3].balance": the variable that a program declares.
std::string declared_part(std::string_view name) {
    return std::string(name.substr(0, name.find_first_of(".[+,")));
}

/// A schedule is surest, then what was looked at more closely.
int certainty(const Verdict& verdict) {
    if (std::holds_alternative<Witnessed>(verdict)) return 3;
    const auto* possible = std::get_if<Possible>(&verdict);
    return possible == nullptr ? 0 : possible->unwitnessed == kOthersLookedAt ? 1 : 2;
}

} // namespace

void SameBug::extend(const Trace& trace) {
    trace_ = trace;
    const std::size_t blocks = trace.objects(ObjectKind::block).size();
    allocated_.resize(blocks);
    if (blocks > 0) {
        for (const EventView event : trace.events(EventId{taken_}, EventId{trace.size()})) {
            if (event.kind() == EventKind::alloc && event.has_target())
                allocated_[event.target()] = event.stack();
        }
    }
    taken_ = trace.size();
}

std::uint32_t SameBug::of(const CandidateKey& key) {
    CandidateKey bug = key;
    if (key.kind != FindingKind::deadlock) {
        const auto next = static_cast<std::uint32_t>(origins_.size());
        bug.parts.front() = origins_.emplace(origin_of(VarId{key.parts.front()}), next).first->second;
    }
    return bugs_.emplace(std::move(bug), static_cast<std::uint32_t>(bugs_.size())).first->second;
}

SameBug::Origin SameBug::origin_of(VarId variable) const {
    const Object& object = trace_.objects(ObjectKind::variable)[variable.value];
    if (object.address == 0) return {Memory::itself, variable.value, {}};
    std::string name = declared_part(trace_.string(object.name));
    if (!object.block.valid())
        return name.empty() ? Origin{Memory::unknown, 0, {}} : Origin{Memory::named, 0, std::move(name)};
    const PlaceId place = trace_.place_for_people(allocated_[object.block.value]);
    if (!place.valid()) return {Memory::itself, variable.value, {}};
    // A frame's variables have names of their own; those of a heap block are told apart by their places.
    return name.empty() ? Origin{Memory::heap, place.value, {}}
                        : Origin{Memory::frame, place.value, std::move(name)};
}

void keep_one_of_each(SameBug& same_bug, std::vector<Finding>& findings) {
    std::map<std::uint32_t, std::vector<std::size_t>> bugs;
    std::vector<bool> gone(findings.size());
    for (std::size_t i = 0; i < findings.size(); ++i) {
        if (std::holds_alternative<Refuted>(findings[i].verdict)) continue;
        bugs[same_bug.of(findings[i].key)].push_back(i);
        gone[i] = true;
    }
    for (const auto& [bug, alike] : bugs) {
        const std::size_t surest = *std::ranges::max_element(
            alike, {}, [&](std::size_t i) { return certainty(findings[i].verdict); });
        Finding& kept = findings[surest];
        kept.variables = static_cast<std::uint32_t>(alike.size());
        gone[surest] = false;
        for (const std::size_t i : alike) {
            if (i == surest) continue;
            kept.count += findings[i].count;
            kept.count_exact = kept.count_exact && findings[i].count_exact;
        }
    }
    std::vector<Finding> left;
    for (std::size_t i = 0; i < findings.size(); ++i)
        if (!gone[i]) left.push_back(std::move(findings[i]));
    findings = std::move(left);
}

} // namespace heddle
