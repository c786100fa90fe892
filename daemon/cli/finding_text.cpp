#include "daemon/cli/finding_text.h"

#include "daemon/cli/output.h"
#include "daemon/report/display_width.h"
#include "daemon/report/finding_words.h"
#include "daemon/report/number_words.h"
#include "daemon/report/story_text.h"
#include "traces/describe.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace heddle::cli {

namespace {

std::string locks_text(const Trace& trace, const std::vector<LockUse>& locks) {
    if (locks.empty()) return "holding nothing";
    std::string text = "holding ";
    for (const LockUse& use : locks) {
        if (&use != &locks.front()) text += ", ";
        fmt::format_to(std::back_inserter(text), "'{}'{}",
                       trace.display_name(ObjectKind::lock, use.lock.value),
                       use.mode == LockMode::shared ? " (shared)" : "");
    }
    return text;
}

/// "thread T2 'teller'"
std::string thread_text(const Trace& trace, ThreadId thread) {
    const std::string number = short_name(trace, thread);
    const std::string_view name = trace.name(ObjectKind::thread, thread.value);
    return name.empty() || name == number ? "thread " + number : fmt::format("thread {} '{}'", number, name);
}

/// " in deposit", or nothing.
std::string function_words(const Trace& trace, const EventView& event) {
    const PlaceId place = trace.place_for_people(event.stack());
    if (!place.valid() || trace.places()[place.value].function.value == 0) return {};
    return fmt::format(" in {}", trace.string(trace.places()[place.value].function));
}

/// A line for each, in columns.
void put_accesses(const Trace& trace, const Finding& finding, std::string& text) {
    constexpr std::array<std::string_view, 3> kBefore = {"   ", "", "  "};
    struct Cell {
        std::string words;
        std::size_t width = 0;
    };
    std::vector<std::array<Cell, 3>> rows(finding.accesses.size());
    std::array<std::size_t, 3> widths{};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const FindingAccess& access = finding.accesses[i];
        const EventView event = trace[access.event];
        rows[i][0].words = report::operation_words(trace, event);
        rows[i][1].words = function_words(trace, event);
        rows[i][2].words = thread_text(trace, event.thread()) + ", " + locks_text(trace, access.locks);
        for (std::size_t column = 0; column < widths.size(); ++column) {
            rows[i][column].width = report::display_width(rows[i][column].words);
            widths[column] = std::max(widths[column], rows[i][column].width);
        }
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t column = 0; column < widths.size(); ++column) {
            const Cell& cell = rows[i][column];
            text.append(kBefore[column]).append(cell.words).append(widths[column] - cell.width, ' ');
        }
        text.append("   ").append(report::place_or_event(trace, finding.accesses[i].event)).append("\n");
    }
}

/// "T1 at event 17, T2 at event 45"
std::string way_text(const Trace& trace, const Property& way) {
    std::vector<std::string> stands;
    for (const EventId event : events_of(way)) {
        stands.push_back(
            fmt::format("{} at event {}", short_name(trace, trace[event].thread()), event.value));
    }
    return fmt::format("{}", fmt::join(stands, ", "));
}

/// What follows a colon: a reason of several lines has each on a line of its own.
std::string indented(std::string_view lines) {
    std::string text;
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        const bool only = text.empty() && end + 1 >= lines.size();
        text += fmt::format("{}{}", only ? " " : "\n      ", lines.substr(0, end));
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    return text;
}

/// A schedule proves what can happen, not what somebody meant.
std::string_view severity(const Finding& finding) {
    const Verdict& verdict = finding.verdict;
    if (std::holds_alternative<Witnessed>(verdict))
        return finding.intent() == Intent::inferred ? "warning" : "error";
    return std::holds_alternative<Possible>(verdict) ? "warning" : "note";
}

/// Why it is no more than that.
std::string reason_line(const Verdict& verdict) {
    const std::string why = report::reason(verdict);
    if (why.empty()) return {};
    std::string lead = "no witness";
    if (const auto* refuted = std::get_if<Refuted>(&verdict))
        lead = fmt::format("cannot happen ({})", kFilterNames[static_cast<std::size_t>(refuted->by)]);
    if (std::holds_alternative<Undecided>(verdict)) lead = "not decided";
    return fmt::format("   {}:{}\n", lead, indented(why));
}

} // namespace

std::string finding_text(const Trace& trace, const Finding& finding, std::size_t number) {
    std::string text =
        fmt::format("{}: {}: {} [{} {}, {}]\n", report::place_or_event(trace, finding.accesses[0].event),
                    severity(finding), report::headline(trace, finding),
                    kFindingKindNames[static_cast<std::size_t>(finding.kind())], number,
                    report::verdict_name(finding.verdict));
    put_accesses(trace, finding, text);
    if (const std::string because = report::intent_words(trace, finding); !because.empty())
        text += fmt::format("   {}: {}\n", kIntentNames[static_cast<std::size_t>(finding.intent())], because);
    for (const Property& way : finding.ways) text += fmt::format("   way: {}\n", way_text(trace, way));
    return text + reason_line(finding.verdict);
}

std::string findings_text(const Trace& trace, const Analysis& analysis, const TextOptions& options) {
    const std::vector<std::size_t> numbers = report::finding_numbers(analysis);
    std::optional<ThreadPasts> pasts;
    std::string text;
    for (std::size_t i = 0; i < analysis.findings.size(); ++i) {
        const Finding& finding = analysis.findings[i];
        if (!options.show_refuted && std::holds_alternative<Refuted>(finding.verdict)) continue;
        if (!options.show_suppressed && options.suppressed.is(i)) continue;
        text += finding_text(trace, finding, numbers[i]);
        if (options.suppressed.is(i)) text += fmt::format("   suppressed by {}\n", options.suppressed.by(i));
        if (const auto* witness = std::get_if<Witnessed>(&finding.verdict)) {
            if (!pasts) pasts.emplace(trace);
            text +=
                report::story_text(trace, tell(*pasts, finding.property, witness->schedule), options.width);
        }
    }
    for (const std::string& limit : analysis.limits_reached) text += fmt::format("note: {}\n", limit);
    return text;
}

std::string summary_text(const Trace& trace, const Analysis& analysis, const TextOptions& options,
                         double seconds) {
    std::array<std::uint64_t, kFindingKinds> witnessed{};
    std::array<std::uint64_t, kFindingKinds> possible{};
    std::uint64_t undecided = 0;
    for (std::size_t i = 0; i < analysis.findings.size(); ++i) {
        if (options.suppressed.is(i)) continue;
        const Finding& finding = analysis.findings[i];
        const auto kind = static_cast<std::size_t>(finding.kind());
        if (std::holds_alternative<Witnessed>(finding.verdict)) ++witnessed[kind];
        if (std::holds_alternative<Possible>(finding.verdict)) ++possible[kind];
        if (std::holds_alternative<Undecided>(finding.verdict)) ++undecided;
    }
    constexpr std::array<std::string_view, kFindingKinds> kNames = {"race", "atomicity violation",
                                                                    "deadlock"};
    std::string text;
    for (std::size_t kind = 0; kind < kFindingKinds; ++kind) {
        text += options.witnesses ? report::counted(witnessed[kind], kNames[kind])
                                  : report::counted(possible[kind], fmt::format("possible {}", kNames[kind]));
        text += " · ";
    }
    const std::uint64_t unwitnessed = possible[0] + possible[1] + possible[2];
    if (options.witnesses && unwitnessed > 0)
        text += fmt::format("{} possible · ", report::grouped(unwitnessed));
    if (undecided > 0) text += fmt::format("{} undecided · ", report::grouped(undecided));
    const std::size_t suppressed = options.suppressed.count(analysis);
    if (suppressed > 0) text += fmt::format("{} suppressed · ", report::grouped(suppressed));
    return text + fmt::format("{} in {}\n", report::counted(trace.size(), "event"),
                              report::duration(static_cast<std::uint64_t>(seconds * 1e9)));
}

} // namespace heddle::cli
