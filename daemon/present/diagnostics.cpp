#include "daemon/present/diagnostics.h"

#include "daemon/present/sentences.h"
#include "daemon/present/source_range.h"
#include "lsp/uri.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

namespace heddle::present {

namespace {

std::optional<lsp::Range> range_of(SourceTexts& texts, const std::string& file,
                                   const report::SourcePlace& place) {
    const lsp::TextDocument* text = texts.text(file);
    if (text == nullptr || place.line == 0 || place.line > text->line_count()) return std::nullopt;
    const std::uint32_t number = place.line - 1;
    const std::string_view line = text->line(number);
    const ByteRange bytes = range_in_line(line, place.column);
    const auto column = [&](std::size_t byte) { return lsp::column_of_byte(line, byte, texts.encoding()); };
    return lsp::Range{{number, column(bytes.first)}, {number, column(bytes.end)}};
}

void add_steps(const View& view, const report::ReportedFinding& finding, lsp::Diagnostic& result) {
    for (std::size_t i = 0; i < finding.steps.size(); ++i) {
        std::string words = step_sentence(finding, i);
        if (view.client.relatedInformation && !finding.steps[i].place.file.empty()) {
            result.relatedInformation.push_back({location(view, finding.steps[i].place), std::move(words)});
        } else if (!view.client.relatedInformation) {
            result.message += "\n" + words + " (" + place_words(finding.steps[i].place) + ")";
        }
    }
}

} // namespace

lsp::Location location(const View& view, const report::SourcePlace& place) {
    const std::string file = view.bugs.absolute(place);
    return {lsp::uri_of_path(file), range_of(view.texts, file, place).value_or(lsp::Range{})};
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
            if (const auto range = range_of(view.texts, file, place)) result.push_back({bug, i, *range});
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
    result.severity = finding.certainty == report::Certainty::possible ? lsp::DiagnosticSeverity::warning
                                                                       : lsp::DiagnosticSeverity::error;
    result.code = std::string(kFindingKindNames[static_cast<std::size_t>(finding.kind)]);
    result.source = "heddle";
    result.message = sentence(finding, mark.access);
    if (finding.certainty == report::Certainty::possible && !finding.why.empty())
        result.message += "\nNo schedule was found that leads there: " + finding.why;
    add_steps(view, finding, result);
    if (view.client.diagnosticData)
        result.data = {{"bug", mark.bug->key}, {"trace", sighting.trace}, {"finding", finding.number}};
    return result;
}

} // namespace heddle::present
