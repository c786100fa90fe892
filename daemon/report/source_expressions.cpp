#include "daemon/report/source_expressions.h"

#include "analysis/source/lock_expressions.h"
#include "daemon/report/source_text.h"
#include "daemon/service/content_hash.h"

#include <utility>

#include <fmt/format.h>

namespace heddle::report {

std::optional<std::string> SourceExpressions::find(SourcePlace& place, source::Operation operation,
                                                   std::string_view name) {
    const SourceMemo::Answer found = answer(place, operation, name);
    if (!found) return std::nullopt;
    place.line = found->line;
    place.column = found->column;
    place.end_line = found->end_line;
    place.end_column = found->end_column;
    return found->name;
}

std::string SourceExpressions::owner(const SourcePlace& place, source::Operation operation,
                                     std::string_view name) {
    const SourceMemo::Answer found = answer(place, operation, name);
    return found ? found->owner : "";
}

SourceMemo::Answer SourceExpressions::answer(const SourcePlace& place, source::Operation operation,
                                             std::string_view name) {
    if (place.file.empty() || place.line == 0) return std::nullopt;
    File& in = file(place.file);
    if (in.hash.empty()) return std::nullopt;
    const std::string question = fmt::format("{}:{}:{}:{}:{}:{}", in.hash, static_cast<int>(in.language),
                                             place.line, place.column, static_cast<int>(operation), name);
    std::optional<SourceMemo::Answer> answer = memo_ ? memo_->answer(question) : std::nullopt;
    if (!answer) {
        answer = locate(in, place, operation, name);
        if (memo_) memo_->keep(question, *answer);
    }
    return *answer;
}

SourceExpressions::File& SourceExpressions::file(const std::string& path) {
    const auto [known, added] = files_.try_emplace(path);
    if (!added) return known->second;
    const auto language = language_of(path);
    auto text = language && read_ ? read_(path) : std::nullopt;
    if (!text || !could_be_source(*text)) return known->second;
    known->second.language = *language;
    known->second.hash = service::hash_name(*text);
    known->second.text = std::move(*text);
    return known->second;
}

SourceMemo::Answer SourceExpressions::locate(File& file, const SourcePlace& place,
                                             source::Operation operation, std::string_view name) {
    if (!file.parsed)
        file.parsed = std::make_unique<const Parsed>(source::SyntaxTree::parse(file.text, file.language));
    const source::PlaceMap& map = file.parsed->map;
    const auto expression =
        map.locate({.line = place.line, .column = place.column, .operation = operation, .name = name});
    if (!expression) return std::nullopt;
    const auto first = map.position_of(expression->range.first);
    const auto end = map.position_of(expression->range.end);
    FoundExpression found{first.line, first.column, end.line, end.column, {}};
    if (expression->exact) found.owner = file.parsed->owners.of(expression->range);
    std::optional<source::ByteRange> meant = expression->range;
    if (operation == source::Operation::lock)
        meant = source::lock_behind(file.parsed->tree, expression->range);
    if (meant) found.name = map.name_of({*meant, expression->exact});
    return found;
}

} // namespace heddle::report
