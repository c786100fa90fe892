#include "daemon/present/sentences.h"

#include "daemon/report/number_words.h"

#include <fmt/format.h>

namespace heddle::present {

namespace {

using report::ReportedAccess;
using report::ReportedFinding;

std::string holding(const ReportedAccess& access) {
    if (access.locks.empty()) return "holding nothing";
    std::vector<std::string> names;
    for (const report::ReportedLock& lock : access.locks)
        names.push_back(fmt::format("'{}'{}", lock.name, lock.shared ? " (shared)" : ""));
    return fmt::format("holding {}", fmt::join(names, ", "));
}

std::string variable_words(const ReportedFinding& finding) {
    return fmt::format("'{}'{}", finding.variable, report::and_more(finding.variables - 1));
}

std::string race_sentence(const ReportedFinding& finding, std::size_t access) {
    const ReportedAccess& here = finding.accesses[access];
    const ReportedAccess& there = finding.accesses[access == 0 ? 1 : 0];
    return fmt::format("Data race on {}: this {} by {}, {}, and the {} at {} by {}, {}, can happen at once.",
                       variable_words(finding), here.operation, here.thread, holding(here), there.operation,
                       place_words(place_for_people(there)), there.thread, holding(there));
}

std::string atomicity_sentence(const ReportedFinding& finding, std::size_t access) {
    const ReportedAccess& first = finding.accesses[0];
    const ReportedAccess& remote = finding.accesses[1];
    const ReportedAccess& second = finding.accesses[2];
    const auto name = [&](const ReportedAccess& one, std::size_t index) {
        return index == access
                   ? fmt::format("this {}", one.operation)
                   : fmt::format("the {} at {}", one.operation, place_words(place_for_people(one)));
    };
    std::string text =
        fmt::format("Atomicity violation on {}: {} by {}, {}, can come between {} and {} by {}, {}.",
                    variable_words(finding), name(remote, 1), remote.thread, holding(remote), name(first, 0),
                    name(second, 2), first.thread, holding(first));
    if (finding.intent == Intent::marked) text += " They belong together: " + finding.because + ".";
    if (finding.intent == Intent::inferred)
        text += " That they belong together is inferred: " + finding.because + ".";
    return text;
}

std::string deadlock_sentence(const ReportedFinding& finding, std::size_t access) {
    std::string text = fmt::format("Deadlock of {} threads:", finding.accesses.size());
    for (std::size_t i = 0; i < finding.accesses.size(); ++i) {
        const std::size_t which = (access + i) % finding.accesses.size();
        const ReportedAccess& one = finding.accesses[which];
        text += fmt::format("{} {} {} waits to {}, {}", i == 0 ? "" : ";",
                            i == 0 ? "here" : fmt::format("at {}", place_words(place_for_people(one))),
                            one.thread, one.operation, holding(one));
    }
    return text + ".";
}

} // namespace

std::string place_words(const report::SourcePlace& place) {
    std::string text = place.file.substr(place.file.find_last_of('/') + 1);
    if (text.empty()) text = "an unknown place";
    if (place.line != 0) text += fmt::format(":{}", place.line);
    if (!place.function.empty()) text += fmt::format(" in {}", place.function);
    return text;
}

std::string sentence(const ReportedFinding& finding, std::size_t access) {
    switch (finding.kind) {
    case FindingKind::race: return race_sentence(finding, access);
    case FindingKind::atomicity: return atomicity_sentence(finding, access);
    case FindingKind::deadlock: return deadlock_sentence(finding, access);
    }
    return finding.headline;
}

std::string step_sentence(const ReportedFinding& finding, std::size_t step) {
    const report::ReportedStep& one = finding.steps[step];
    return fmt::format("{}/{} {}: {}{}", step + 1, finding.steps.size(), one.thread, one.words,
                       one.marked ? " ◀" : "");
}

} // namespace heddle::present
