#include "daemon/cli/finding_report.h"

#include "daemon/cli/output.h"
#include "traces/describe.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::cli {

namespace {

std::string place_or_event(const Trace& trace, EventId event) {
    const std::string place = trace.place_text(trace.place_of(trace[event].stack()));
    return place.empty() ? fmt::format("event {}", event.value) : place;
}

std::string locks_text(const Trace& trace, const std::vector<LockUse>& locks) {
    if (locks.empty()) return "holding nothing";
    std::vector<std::string> names;
    names.reserve(locks.size());
    for (const LockUse& use : locks) {
        names.push_back(fmt::format("'{}'{}", trace.display_name(ObjectKind::lock, use.lock.value),
                                    use.mode == LockMode::shared ? " (shared)" : ""));
    }
    return fmt::format("holding {}", fmt::join(names, ", "));
}

std::string_view verdict_name(const Verdict& verdict) {
    if (std::holds_alternative<Possible>(verdict)) return "possible";
    return std::holds_alternative<Refuted>(verdict) ? "refuted" : "undecided";
}

std::string headline(const Trace& trace, const Finding& finding) {
    const EventView first = trace[finding.accesses[0].event];
    if (finding.kind() == FindingKind::deadlock) {
        return fmt::format("deadlock of {} threads", finding.accesses.size());
    }
    const std::string variable = trace.display_name(ObjectKind::variable, first.variable().value);
    return fmt::format("{} on '{}'",
                       finding.kind() == FindingKind::race ? "data race" : "atomicity violation", variable);
}

bool shown(const Finding& finding, const ReportOptions& options) {
    return options.show_refuted || !std::holds_alternative<Refuted>(finding.verdict);
}

/// "T1 at event 17, T2 at event 45"
std::string way_text(const Trace& trace, const Property& way) {
    std::vector<std::string> stands;
    for (const EventId event : events_of(way)) {
        stands.push_back(fmt::format("{} at event {}",
                                     trace.display_name(ObjectKind::thread, trace[event].thread().value),
                                     event.value));
    }
    return fmt::format("{}", fmt::join(stands, ", "));
}

/// A reason of several lines, each on a line of its own below the finding.
std::string indented(std::string_view lines) {
    std::string text;
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        const bool only = text.empty() && end + 1 >= lines.size();
        text += fmt::format("{}{}", only ? "" : "\n      ", lines.substr(0, end));
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    return text;
}

std::string finding_text(const Trace& trace, const Finding& finding, std::size_t number) {
    std::string text = fmt::format(
        "{}: {}: {} [{} {}, {}]\n", place_or_event(trace, finding.accesses[0].event),
        std::holds_alternative<Possible>(finding.verdict) ? "warning" : "note", headline(trace, finding),
        kFindingKindNames[static_cast<std::size_t>(finding.kind())], number, verdict_name(finding.verdict));
    for (const FindingAccess& access : finding.accesses) {
        const EventView event = trace[access.event];
        text += fmt::format("   {}  thread {}, {}   {}\n", describe(trace, event),
                            trace.display_name(ObjectKind::thread, event.thread().value),
                            locks_text(trace, access.locks), place_or_event(trace, access.event));
    }
    for (const Property& way : finding.ways) text += fmt::format("   way: {}\n", way_text(trace, way));
    if (const auto* refuted = std::get_if<Refuted>(&finding.verdict)) {
        text += fmt::format("   cannot happen ({}): {}\n",
                            kFilterNames[static_cast<std::size_t>(refuted->by)], indented(refuted->why));
    } else if (const auto* undecided = std::get_if<Undecided>(&finding.verdict)) {
        text += fmt::format("   not decided: {}\n", undecided->why);
    }
    return text;
}

std::string stats_text(const Analysis& analysis, double seconds) {
    std::string text = "           total      lsa      mhb      ucg\n";
    for (std::size_t kind = 0; kind < kFindingKinds; ++kind) {
        const FunnelCounts& counts = analysis.counts[kind];
        text += fmt::format("{:<10}{:>6} {:>8} {:>8} {:>8}\n", kFindingKindNames[kind], counts.total,
                            counts.lock_analysis, counts.hard_order, counts.causality);
    }
    const PhaseOneSizes& sizes = analysis.phase_one;
    return text +
           fmt::format(
               "phase I: R {}, W {}, WW {}, AA {}; {} lock profiles, {} locksets; {} segments; {:.2f} s\n",
               grouped(sizes.reads), grouped(sizes.writes), grouped(sizes.write_pairs),
               grouped(sizes.access_pairs), grouped(sizes.profiles), grouped(sizes.locksets),
               grouped(analysis.segments), seconds);
}

nlohmann::json access_json(const Trace& trace, const FindingAccess& access) {
    const EventView event = trace[access.event];
    nlohmann::json json = {{"event", access.event.value},
                           {"thread", trace.display_name(ObjectKind::thread, event.thread().value)},
                           {"op", traits(event.kind()).text},
                           {"locks", nlohmann::json::array()}};
    if (const PlaceId id = trace.place_of(event.stack()); id.valid()) {
        const Place& place = trace.places()[id.value];
        json["place"] = trace.place_text(id);
        json["file"] = trace.string(place.file);
        json["line"] = place.line;
        json["column"] = place.column;
        json["function"] = trace.string(place.function);
    }
    for (const LockUse& use : access.locks) {
        json["locks"].push_back({{"name", trace.display_name(ObjectKind::lock, use.lock.value)},
                                 {"shared", use.mode == LockMode::shared}});
    }
    return json;
}

nlohmann::json finding_json(const Trace& trace, const Finding& finding, std::size_t number) {
    nlohmann::json json = {{"id", number},
                           {"kind", kFindingKindNames[static_cast<std::size_t>(finding.kind())]},
                           {"verdict", verdict_name(finding.verdict)},
                           {"count", finding.count},
                           {"count_exact", finding.count_exact},
                           {"accesses", nlohmann::json::array()}};
    if (finding.kind() != FindingKind::deadlock) {
        json["variable"] =
            trace.display_name(ObjectKind::variable, trace[finding.accesses[0].event].variable().value);
    }
    if (const auto* triple = std::get_if<AtomicityViolation>(&finding.property)) {
        json["pattern"] = kAtomicityPatternNames[static_cast<std::size_t>(triple->pattern)];
    }
    for (const FindingAccess& access : finding.accesses)
        json["accesses"].push_back(access_json(trace, access));
    for (const Property& way : finding.ways) {
        nlohmann::json events = nlohmann::json::array();
        for (const EventId event : events_of(way)) events.push_back(event.value);
        json["ways"].push_back(std::move(events));
    }
    if (const auto* refuted = std::get_if<Refuted>(&finding.verdict)) {
        json["refuted_by"] = kFilterNames[static_cast<std::size_t>(refuted->by)];
        json["why"] = refuted->why;
    } else if (const auto* undecided = std::get_if<Undecided>(&finding.verdict)) {
        json["why"] = undecided->why;
    }
    return json;
}

} // namespace

std::string findings_text(const std::string& path, const Trace& trace, const Analysis& analysis,
                          const ReportOptions& options) {
    std::string text;
    std::array<std::uint64_t, kFindingKinds> possible{};
    for (std::size_t i = 0; i < analysis.findings.size(); ++i) {
        const Finding& finding = analysis.findings[i];
        possible[static_cast<std::size_t>(finding.kind())] +=
            std::holds_alternative<Possible>(finding.verdict) ? 1U : 0U;
        if (shown(finding, options)) text += finding_text(trace, finding, i + 1);
    }
    for (const std::string& limit : analysis.limits_reached) text += fmt::format("note: {}\n", limit);
    if (options.stats) text += stats_text(analysis, options.seconds);
    return text + fmt::format("{}: {} · {} · {} · {}\n", path, counted(possible[0], "possible race"),
                              counted(possible[1], "possible atomicity violation"),
                              counted(possible[2], "possible deadlock"), counted(trace.size(), "event"));
}

nlohmann::json findings_json(const std::string& path, const Trace& trace, const Analysis& analysis,
                             const ReportOptions& options) {
    nlohmann::json json = {{"version", 1},
                           {"file", path},
                           {"events", trace.size()},
                           {"findings", nlohmann::json::array()},
                           {"limits_reached", analysis.limits_reached}};
    for (std::size_t i = 0; i < analysis.findings.size(); ++i) {
        if (shown(analysis.findings[i], options)) {
            json["findings"].push_back(finding_json(trace, analysis.findings[i], i + 1));
        }
    }
    for (std::size_t kind = 0; kind < kFindingKinds; ++kind) {
        const FunnelCounts& counts = analysis.counts[kind];
        json["stats"][std::string(kFindingKindNames[kind])] = {{"total", counts.total},
                                                               {"lsa", counts.lock_analysis},
                                                               {"mhb", counts.hard_order},
                                                               {"ucg", counts.causality}};
    }
    const PhaseOneSizes& sizes = analysis.phase_one;
    json["stats"]["phase_one"] = {{"reads", sizes.reads},
                                  {"writes", sizes.writes},
                                  {"write_pairs", sizes.write_pairs},
                                  {"access_pairs", sizes.access_pairs},
                                  {"profiles", sizes.profiles},
                                  {"locksets", sizes.locksets}};
    json["stats"]["seconds"] = options.seconds;
    return json;
}

} // namespace heddle::cli
