#include "readme_table.h"

#include <vector>

#include <fmt/format.h>

namespace heddle::test {

namespace {

std::string_view claim_text(Claim claim) {
    switch (claim) {
    case Claim::bug: return "**bug**";
    case Claim::no_witness: return "no witness";
    case Claim::not_a_bug: return "not a bug";
    }
    return "";
}

std::string place_text(const DocumentedStep& step) {
    std::string text = fmt::format("{} in `{}` [{}]", step.operation, step.place.function, step.place.mark);
    for (const MarkedLine& caller : step.inlined_into)
        text += fmt::format(" in `{}` [{}]", caller.function, caller.mark);
    return text;
}

std::string subject_text(const DocumentedFinding& finding) {
    if (finding.kind == "deadlock") {
        std::vector<std::string> locks;
        for (const DocumentedStep& step : finding.steps) locks.push_back(fmt::format("`{}`", step.asks_for));
        return fmt::format("{}", fmt::join(locks, ", "));
    }
    const DocumentedVariable& variable = finding.variable;
    if (!variable.name.empty()) return fmt::format("`{}`", variable.name);
    return fmt::format("memory of [{}] + {}", variable.allocated.mark, variable.offset);
}

} // namespace

std::string readme_rows(const std::string& name, const Documentation& documentation) {
    std::string rows;
    for (const DocumentedFinding& finding : documentation.findings) {
        std::vector<std::string> places;
        for (const DocumentedStep& step : finding.steps) places.push_back(place_text(step));
        rows += fmt::format("| [{0}]({0}) | {1} | {2} | {3} | {4} | {5} |\n", name, claim_text(finding.claim),
                            finding.kind + (finding.pattern.empty() ? "" : " " + finding.pattern),
                            subject_text(finding), fmt::join(places, "; "), finding.because);
    }
    return rows;
}

} // namespace heddle::test
