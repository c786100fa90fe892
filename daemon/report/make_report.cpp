#include "daemon/report/make_report.h"

#include "daemon/report/finding_json.h"
#include "daemon/report/finding_words.h"
#include "daemon/report/report_places.h"
#include "daemon/report/reported_variables.h"
#include "daemon/report/source_names.h"
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

/// Tells a trace's events with the expressions of the source. Which expression it is, only names that the
/// binary has can tell: a name out of the source may be one of the whole object, or another's way to it.
class Teller {
  public:
    /// `named`: `trace`, with names out of the source.
    Teller(const Trace& trace, const Trace& named, SourceExpressions& expressions)
        : recorded_(trace), pasts_(named), expressions_(expressions) {}

    [[nodiscard]] ReportedFinding reported(const Finding& finding, std::size_t number) {
        ReportedFinding result{.number = static_cast<std::uint32_t>(number),
                               .kind = finding.kind(),
                               .headline = headline(trace(), finding),
                               .why = reason(finding.verdict),
                               .intent = finding.intent(),
                               .because = intent_words(trace(), finding)};
        if (finding.kind() != FindingKind::deadlock)
            result.variable = trace().accessed_name(trace()[finding.accesses[0].event]);
        result.variables = finding.variables;
        for (const FindingAccess& access : finding.accesses) result.accesses.push_back(reported(access));
        if (const auto* witness = std::get_if<Witnessed>(&finding.verdict)) {
            result.certainty = witness->confirmed ? Certainty::confirmed : Certainty::witnessed;
            tell_witness(finding, *witness, result);
        }
        result.witness_json = finding_json(pasts_, finding, number)
                                  .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        return result;
    }

  private:
    [[nodiscard]] const Trace& trace() const { return pasts_.trace(); }

    [[nodiscard]] ReportedAccess reported(const FindingAccess& access) {
        const EventView event = trace()[access.event];
        ReportedAccess result{.event = access.event.value,
                              .operation = operation_words(trace(), event),
                              .thread = full_name(trace(), event.thread()),
                              .locks = {},
                              .place = source_place(trace(), trace().place_of(event.stack()), expressions_),
                              .callers = callers_of(event.stack()),
                              .act = operation_at(event)};
        for (const LockUse& use : access.locks)
            result.locks.push_back({std::string(trace().display_name(ObjectKind::lock, use.lock.value)),
                                    use.mode == LockMode::shared});
        const std::string object = object_at(recorded_, recorded_[access.event]);
        expressions_.find(result.place, result.act, object);
        for (SourcePlace& caller : result.callers) {
            if (is_for_people(result.place.file)) break;
            expressions_.find(caller, result.act, object);
            if (is_for_people(caller.file)) break;
        }
        return result;
    }

    [[nodiscard]] std::vector<SourcePlace> callers_of(StackId stack) const {
        std::vector<SourcePlace> callers;
        if (!stack.valid()) return callers;
        StackId caller = trace().stacks()[stack.value].caller;
        while (caller.valid() && callers.size() < kMaxCallers) {
            callers.push_back(source_place(trace(), trace().stacks()[caller.value].place, expressions_));
            caller = trace().stacks()[caller.value].caller;
        }
        return callers;
    }

    void tell_witness(const Finding& finding, const Witnessed& witness, ReportedFinding& result) {
        const Story story = tell(pasts_, finding.property, witness.schedule);
        for (const StoryRow& row : story.rows) {
            const auto* step = std::get_if<StoryStep>(&row);
            if (step == nullptr) continue;
            const EventView event = trace()[step->event];
            SourcePlace place = source_place(trace(), step->place, expressions_);
            expressions_.find(place, operation_at(event), object_at(recorded_, recorded_[step->event]));
            result.steps.push_back(
                {.thread = full_name(trace(), step->thread),
                 .words = step->value.empty() ? step->words : fmt::format("{} {}", step->words, step->value),
                 .place = std::move(place),
                 .marked = step->marked});
        }
        result.schedule = story_markdown(trace(), story);
        result.schedule_text = story_text(trace(), story, kTextColumns);
    }

    const Trace& recorded_;
    ThreadPasts pasts_;
    SourceExpressions& expressions_;
};

std::string test_name(const Metadata& about) {
    if (!about.test.empty() || about.command.empty()) return about.test;
    const std::string& program = about.command.front();
    return program.substr(program.find_last_of('/') + 1);
}

} // namespace

TraceReport make_report(const Trace& trace, const Analysis& analysis, std::size_t max_findings,
                        SourceExpressions& expressions) {
    const Metadata& about = trace.metadata();
    TraceReport result{.test = test_name(about),
                       .command = fmt::format("{}", fmt::join(about.command, " ")),
                       .recorded_unix_ns = about.start_time_unix_ns,
                       .events = trace.size(),
                       .complete = false,
                       .findings = {},
                       .variables = reported_variables(trace, expressions),
                       .sources = {},
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
    // What is inferred comes last: it is left out first.
    std::stable_partition(shown.begin(), shown.end(),
                          [&](std::size_t i) { return analysis.findings[i].intent() != Intent::inferred; });
    if (shown.size() > max_findings) {
        result.left_out = shown.size() - max_findings;
        shown.resize(max_findings);
    }
    if (shown.empty()) return result;
    std::vector<const Finding*> findings;
    for (const std::size_t i : shown) findings.push_back(&analysis.findings[i]);
    const Trace named = with_source_names(trace, findings, expressions);
    Teller teller(trace, named, expressions);
    const std::vector<std::size_t> numbers = finding_numbers(analysis);
    for (const std::size_t i : shown) {
        result.findings.push_back(teller.reported(analysis.findings[i], numbers[i]));
        result.findings.back().recorded_key = recorded_key(trace, analysis.findings[i]);
    }
    return result;
}

std::string recorded_key(const Trace& trace, const Finding& finding) {
    const SourceExpressions none;
    ReportedFinding told{.kind = finding.kind()};
    if (finding.kind() != FindingKind::deadlock)
        told.variable = trace.accessed_name(trace[finding.accesses[0].event]);
    for (const FindingAccess& access : finding.accesses) {
        SourcePlace place = source_place(trace, trace.place_for_people(trace[access.event].stack()), none);
        place.file.erase(0, place.file.rfind('/') + 1); // the folder depends on who asks, and where
        told.accesses.push_back({.place = std::move(place)});
    }
    return bug_key(told);
}

} // namespace heddle::report
