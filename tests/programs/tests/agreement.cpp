#include "agreement.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

namespace heddle::test {

namespace {

/// Memory is named by where it was allocated, "heap block of 8 bytes allocated in f (file.c:12) + 4".
bool same_variable(const DocumentedVariable& documented, const std::string& reported) {
    if (!documented.name.empty()) return name_matches(documented.name, reported);
    const std::string offset = documented.offset == 0 ? "" : fmt::format(" + {}", documented.offset);
    return reported.starts_with("heap block") &&
           reported.ends_with(fmt::format(":{}){}", documented.allocated.line, offset));
}

bool same_operation(const std::string& documented, const std::string& reported) {
    if (documented == "asks") return reported == "acq" || reported == "acq_shared";
    if (documented == "update") return reported == "r" || reported == "w";
    return reported == documented.substr(0, 1) ||
           reported == (documented == "read" ? "atomic_load" : "atomic_store");
}

bool same_locks(const std::vector<DocumentedLock>& documented, const std::vector<ReportedLock>& reported) {
    return std::ranges::is_permutation(documented, reported, [](const auto& a, const auto& b) {
        return name_matches(a.name, b.name) && a.shared == b.shared;
    });
}

bool same_line(const MarkedLine& documented, const SourceFrame& reported) {
    return documented.line == reported.line && documented.function == reported.function;
}

bool same_step(const DocumentedStep& documented, const ReportedStep& reported) {
    if (!same_operation(documented.operation, reported.operation)) return false;
    if (!same_locks(documented.holding, reported.holding)) return false;
    if (reported.frames.size() < 1 + documented.inlined_into.size()) return false;
    if (!same_line(documented.place, reported.frames[0])) return false;
    if (!std::equal(documented.inlined_into.begin(), documented.inlined_into.end(),
                    reported.frames.begin() + 1, same_line))
        return false;
    if (documented.operation != "asks") return true;
    return name_matches(documented.asks_for, reported.asks_for) && !reported.since.empty() &&
           same_line(documented.since, reported.since[0]);
}

} // namespace

bool agree(const DocumentedFinding& documented, const ReportedFinding& reported) {
    if (documented.kind != reported.kind || documented.pattern != reported.pattern) return false;
    if (documented.steps.size() != reported.steps.size()) return false;
    if (documented.kind != "deadlock" && !same_variable(documented.variable, reported.variable)) return false;
    const std::size_t turns = documented.kind == "atomicity" ? 1 : documented.steps.size();
    std::vector<DocumentedStep> steps = documented.steps;
    for (std::size_t turn = 0; turn < turns; ++turn) {
        if (std::equal(steps.begin(), steps.end(), reported.steps.begin(), same_step)) return true;
        std::rotate(steps.begin(), steps.begin() + 1, steps.end());
    }
    return false;
}

std::string text_of(const DocumentedFinding& finding) {
    std::string text = fmt::format("{} {} {}\n", finding.kind, finding.pattern, finding.variable.name);
    for (const DocumentedStep& step : finding.steps)
        text += fmt::format("    {} in {}:{} [{}]\n", step.operation, step.place.function, step.place.line,
                            step.place.mark);
    return text;
}

} // namespace heddle::test
