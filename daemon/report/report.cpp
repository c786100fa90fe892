#include "daemon/report/report.h"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::report {

const SourceVersion* TraceReport::source(std::string_view file) const {
    const auto found = std::ranges::find(sources, file, &SourceVersion::file);
    return found == sources.end() ? nullptr : &*found;
}

std::string bug_key(const ReportedFinding& finding) {
    std::vector<std::string> places;
    for (const ReportedAccess& access : finding.accesses) {
        places.push_back(fmt::format("{}:{}:{}", access.place.file, access.place.line, access.place.column));
    }
    // Which of two racing accesses came first is an accident of the run; so is where a cycle of locks begins.
    if (finding.kind != FindingKind::atomicity) std::ranges::sort(places);
    return fmt::format("{}|{}|{}", static_cast<int>(finding.kind), finding.variable, fmt::join(places, "|"));
}

} // namespace heddle::report
