#include "daemon/report/make_report.h"

#include "daemon/report/finding_json.h"
#include "daemon/report/finding_words.h"
#include "daemon/report/story_markdown.h"
#include "daemon/report/story_text.h"
#include "traces/describe.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::report {

namespace {

constexpr std::size_t kMaxCallers = 16; ///< of an access, told to match suppressions and to find one's way
constexpr std::size_t kTextColumns = 100;

SourcePlace source_place(const Trace& trace, PlaceId id) {
    if (!id.valid()) return {};
    const Place& place = trace.places()[id.value];
    return {.file = std::string(trace.string(place.file)),
            .line = place.line,
            .column = place.column,
            .function = std::string(trace.string(place.function))};
}

std::vector<SourcePlace> callers_of(const Trace& trace, StackId stack) {
    std::vector<SourcePlace> callers;
    if (!stack.valid()) return callers;
    StackId caller = trace.stacks()[stack.value].caller;
    while (caller.valid() && callers.size() < kMaxCallers) {
        callers.push_back(source_place(trace, trace.stacks()[caller.value].place));
        caller = trace.stacks()[caller.value].caller;
    }
    return callers;
}

ReportedAccess reported(const Trace& trace, const FindingAccess& access) {
    const EventView event = trace[access.event];
    ReportedAccess result{.operation = operation_words(trace, event),
                          .thread = full_name(trace, event.thread()),
                          .locks = {},
                          .place = source_place(trace, trace.place_of(event.stack())),
                          .callers = callers_of(trace, event.stack())};
    for (const LockUse& use : access.locks)
        result.locks.emplace_back(trace.display_name(ObjectKind::lock, use.lock.value));
    return result;
}

void tell_witness(const ThreadPasts& pasts, const Finding& finding, const Witnessed& witness,
                  ReportedFinding& result) {
    const Trace& trace = pasts.trace();
    const Story story = tell(pasts, finding.property, witness.schedule);
    for (const StoryRow& row : story.rows) {
        const auto* step = std::get_if<StoryStep>(&row);
        if (step == nullptr) continue;
        result.steps.push_back(
            {.thread = full_name(trace, step->thread),
             .words = step->value.empty() ? step->words : fmt::format("{} {}", step->words, step->value),
             .place = source_place(trace, step->place),
             .marked = step->marked});
    }
    result.schedule = story_markdown(trace, story);
    result.schedule_text = story_text(trace, story, kTextColumns);
}

ReportedFinding reported(const ThreadPasts& pasts, const Finding& finding, std::size_t number) {
    const Trace& trace = pasts.trace();
    ReportedFinding result{.number = static_cast<std::uint32_t>(number),
                           .kind = finding.kind(),
                           .headline = headline(trace, finding),
                           .why = reason(finding.verdict)};
    if (finding.kind() != FindingKind::deadlock)
        result.variable = trace.accessed_name(trace[finding.accesses[0].event]);
    for (const FindingAccess& access : finding.accesses) result.accesses.push_back(reported(trace, access));
    if (const auto* witness = std::get_if<Witnessed>(&finding.verdict)) {
        result.certainty = Certainty::witnessed;
        tell_witness(pasts, finding, *witness, result);
    }
    result.witness_json =
        finding_json(pasts, finding, number).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return result;
}

std::string test_name(const Metadata& about) {
    if (!about.test.empty() || about.command.empty()) return about.test;
    const std::string& program = about.command.front();
    return program.substr(program.find_last_of('/') + 1);
}

} // namespace

TraceReport make_report(const Trace& trace, const Analysis& analysis, std::size_t max_findings) {
    const Metadata& about = trace.metadata();
    TraceReport result{.test = test_name(about),
                       .command = fmt::format("{}", fmt::join(about.command, " ")),
                       .recorded_unix_ns = about.start_time_unix_ns,
                       .events = trace.size(),
                       .complete = false,
                       .findings = {},
                       .left_out = 0,
                       .notes = analysis.limits_reached};
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < analysis.findings.size(); ++i) {
        const Verdict& verdict = analysis.findings[i].verdict;
        if (std::holds_alternative<Possible>(verdict) || std::holds_alternative<Witnessed>(verdict))
            shown.push_back(i);
    }
    std::stable_partition(shown.begin(), shown.end(), [&](std::size_t i) {
        return std::holds_alternative<Witnessed>(analysis.findings[i].verdict);
    });
    if (shown.size() > max_findings) {
        result.left_out = shown.size() - max_findings;
        shown.resize(max_findings);
    }
    if (shown.empty()) return result;
    const ThreadPasts pasts(trace);
    const std::vector<std::size_t> numbers = finding_numbers(analysis);
    for (const std::size_t i : shown)
        result.findings.push_back(reported(pasts, analysis.findings[i], numbers[i]));
    return result;
}

} // namespace heddle::report
