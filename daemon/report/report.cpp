#include "daemon/report/report.h"

#include "daemon/report/finding_words.h"
#include "traces/tables.h"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::report {

const SourceVersion* TraceReport::source(std::string_view file) const {
    const auto found = std::ranges::find(sources, file, &SourceVersion::file);
    return found == sources.end() ? nullptr : &*found;
}

std::vector<std::string> lock_words(const std::vector<ReportedLock>& locks) {
    std::vector<std::string> words;
    for (const ReportedLock& lock : locks) words.push_back(lock.name + (lock.shared ? " (shared)" : ""));
    return words;
}

const SourcePlace& place_for_people(const ReportedAccess& access) {
    if (is_for_people(access.place.file)) return access.place;
    const auto caller = std::ranges::find_if(access.callers, is_for_people, &SourcePlace::file);
    return caller == access.callers.end() ? access.place : *caller;
}

std::string bug_key(const ReportedFinding& finding) {
    std::vector<std::string> places;
    for (const ReportedAccess& access : finding.accesses) {
        const SourcePlace& place = place_for_people(access);
        places.push_back(fmt::format("{}:{}:{}", place.file, place.line, place.column));
    }
    // Which of two racing accesses came first is an accident of the run; so is where a cycle of locks begins.
    if (finding.kind != FindingKind::atomicity) std::ranges::sort(places);
    return fmt::format("{}|{}|{}", static_cast<int>(finding.kind), without_indices(finding.variable),
                       fmt::join(places, "|"));
}

} // namespace heddle::report
