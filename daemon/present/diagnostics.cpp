#include "daemon/present/diagnostics.h"

#include "daemon/present/lines_now.h"
#include "daemon/present/sentences.h"
#include "daemon/present/source_range.h"
#include "daemon/settings/ignore_comment.h"
#include "lsp/uri.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::present {

namespace {

struct Found {
    lsp::Range range;
    bool aged = false;
};

std::optional<Found> find(const View& view, const report::TraceReport& report, const std::string& file,
                          const report::SourcePlace& place) {
    const PlaceNow now = view.drift.now(report, place, file, view.texts);
    const lsp::TextDocument* text = view.texts.text(file);
    if (text == nullptr || now.line == 0 || now.line > text->line_count()) return std::nullopt;
    const auto position = [&](std::uint32_t line, std::size_t column) {
        const std::string_view there = text->line(line - 1);
        const std::size_t byte = std::min(column - 1, there.size());
        return lsp::Position{line - 1, lsp::column_of_byte(there, byte, view.texts.encoding())};
    };
    if (now.end_line != 0)
        return Found{{position(now.line, now.column), position(now.end_line, now.end_column)}, now.aged};
    const ByteRange bytes = range_in_line(text->line(now.line - 1), now.column);
    return Found{{position(now.line, bytes.first + 1), position(now.line, bytes.end + 1)}, now.aged};
}

void add_steps(const View& view, const service::Sighting& sighting, const LinesNow& lines,
               lsp::Diagnostic& result) {
    const report::ReportedFinding& finding = *sighting;
    for (std::size_t i = 0; i < finding.steps.size(); ++i) {
        const std::string words = step_sentence(finding, i);
        if (view.client.relatedInformation && !finding.steps[i].place.file.empty()) {
            result.relatedInformation.push_back(
                {location(view, *sighting.report, finding.steps[i].place), lines.in(words)});
        } else if (!view.client.relatedInformation) {
            const std::string line = fmt::format("\n{} ({})", words, place_words(finding.steps[i].place));
            result.message += lines.in(line);
        }
    }
}

} // namespace

lsp::Location location(const View& view, const report::TraceReport& report,
                       const report::SourcePlace& place) {
    const std::string file = view.bugs.absolute(place);
    return {lsp::uri_of_path(file), find(view, report, file, place).value_or(Found{}).range};
}

bool is_ignored(const View& view, const service::Bug& bug) {
    const report::ReportedFinding& finding = *bug.best();
    return std::ranges::any_of(finding.accesses, [&](const report::ReportedAccess& access) {
        const report::SourcePlace& place = view.bugs.shown(access);
        const std::string file = view.bugs.absolute(place);
        const PlaceNow now = view.drift.now(*bug.best().report, place, file, view.texts);
        const lsp::TextDocument* text = now.line == 0 ? nullptr : view.texts.text(file);
        return text != nullptr && settings::ignores(text->line(now.line - 1), finding.kind);
    });
}

std::vector<Mark> marks(const View& view, const std::vector<const service::Bug*>& bugs,
                        const std::string& file) {
    std::vector<Mark> result;
    for (const service::Bug* bug : bugs) {
        const report::ReportedFinding& finding = *bug->best();
        std::set<std::pair<std::uint32_t, std::uint32_t>> told; // two accesses of one expression: one mark
        for (std::size_t i = 0; i < finding.accesses.size(); ++i) {
            const report::SourcePlace& place = view.bugs.shown(finding.accesses[i]);
            if (view.bugs.absolute(place) != file || !told.emplace(place.line, place.column).second) continue;
            if (const auto found = find(view, *bug->best().report, file, place))
                result.push_back({bug, i, found->range, found->aged});
        }
    }
    std::ranges::stable_sort(result, {}, [](const Mark& mark) { return mark.range.start; });
    return result;
}

lsp::Diagnostic diagnostic(const View& view, const Mark& mark) {
    const service::Sighting& sighting = mark.bug->best();
    const report::ReportedFinding& finding = *sighting;
    lsp::Diagnostic result;
    result.range = mark.range;
    const bool guess = finding.certainty == report::Certainty::possible || finding.intent == Intent::inferred;
    result.severity = guess ? lsp::DiagnosticSeverity::warning : lsp::DiagnosticSeverity::error;
    if (mark.aged) {
        result.severity = lsp::DiagnosticSeverity::information;
        if (view.client.diagnosticTags) result.tags = {lsp::DiagnosticTag::unnecessary};
    }
    result.code = std::string(kFindingKindNames[static_cast<std::size_t>(finding.kind)]);
    result.source = "heddle";
    result.message = sentence(finding, mark.access);
    if (mark.aged) result.message = "As of the last run, before this code changed: " + result.message;
    if (finding.certainty == report::Certainty::possible && !finding.why.empty())
        result.message += "\nNo schedule was found that leads there: " + finding.why;
    const LinesNow lines(view, sighting, mark.access);
    result.message = lines.in(result.message);
    add_steps(view, sighting, lines, result);
    if (view.client.diagnosticData)
        result.data = {{"bug", mark.bug->key}, {"trace", sighting.trace}, {"finding", finding.number}};
    return result;
}

} // namespace heddle::present
