#include "daemon/present/drift.h"

#include "analysis/source/text_diff.h"

#include <algorithm>
#include <optional>

namespace heddle::present {

namespace {

constexpr std::size_t kMaxFollowed = 256; ///< versions of files

/// The byte at a line and column of a version; of no column, that of the line's first letter. Nothing when it
/// does not have them.
std::optional<std::uint32_t> byte_at(const lsp::LineIndex& lines, const std::string& text, std::uint32_t line,
                                     std::uint32_t column) {
    if (line == 0 || line > lines.line_count()) return std::nullopt;
    const std::string_view there = lines.line(text, line - 1);
    const std::size_t wanted = column == 0 ? there.find_first_not_of(" \t") : column - 1;
    const std::size_t inside = std::min(wanted, there.size());
    return static_cast<std::uint32_t>(lines.start_of(line - 1) + inside);
}

bool function_changed(const report::SourceVersion& version, const source::PositionMap& map,
                      std::uint32_t byte) {
    // The innermost: of those that begin before the byte, the last that ends behind it.
    auto after =
        std::ranges::upper_bound(version.functions, byte, {}, &report::SourceVersion::Function::first);
    while (after != version.functions.begin()) {
        --after;
        if (byte < after->second) return map.changed({after->first, after->second});
    }
    return false;
}

} // namespace

PlaceNow Drift::now(const report::TraceReport& report, const report::SourcePlace& place,
                    const std::string& file, SourceTexts& texts) {
    PlaceNow result{place.line, place.column, place.end_line, place.end_column};
    const report::SourceVersion* version = report.source(place.file);
    const SourceTexts::Current current = texts.current(file);
    if (version == nullptr || current.document == nullptr) return result;
    // A text that is lost: what changed cannot be told, only that something may have.
    result.aged = version->changed || !version->text;
    if (!version->text) return result;
    const Followed& followed = follow(*version, file, current);
    const auto byte = byte_at(followed.lines, *version->text, place.line, place.column);
    if (!byte) return result;
    const auto move = [&](std::uint32_t to, std::uint32_t& line, std::uint32_t& column) {
        const std::size_t number = current.document->line_of(to);
        line = static_cast<std::uint32_t>(number + 1);
        column = static_cast<std::uint32_t>(to - current.document->start_of(number) + 1);
    };
    const source::PositionMap::Now now = followed.map.now(*byte);
    move(now.byte, result.line, result.column);
    if (place.column == 0) result.column = 0;
    result.end_line = 0;
    const auto end = byte_at(followed.lines, *version->text, place.end_line, place.end_column);
    if (now.kept && end && *end > *byte) {
        const source::PositionMap::Now last = followed.map.now(*end - 1);
        if (last.kept) move(last.byte + 1, result.end_line, result.end_column);
    }
    result.kept = now.kept && !version->changed;
    result.aged = result.aged || !now.kept || function_changed(*version, followed.map, *byte);
    return result;
}

std::optional<source::ByteRange> Drift::range(const report::SourceVersion& version, source::ByteRange bytes,
                                              bool behind, const std::string& file, SourceTexts& texts) {
    const SourceTexts::Current current = texts.current(file);
    if (current.document == nullptr || !version.text) return std::nullopt;
    const source::PositionMap& map = follow(version, file, current).map;
    if (bytes.first == version.text->size()) { // behind everything
        if (bytes.first == 0) return source::ByteRange{};
        behind = true;
    }
    const std::uint32_t back = behind && bytes.first == bytes.end && bytes.first > 0 ? 1 : 0;
    const source::PositionMap::Now first = map.now(bytes.first - back);
    if (!first.kept || (bytes.first != bytes.end && map.changed(bytes))) return std::nullopt;
    const std::uint32_t at = first.byte + back;
    return source::ByteRange{at, at + (bytes.end - bytes.first)};
}

Drift::Followed& Drift::follow(const report::SourceVersion& version, const std::string& file,
                               const SourceTexts::Current& current) {
    const std::pair key(file, version.hash);
    auto found = followed_.find(key);
    if (found == followed_.end()) {
        if (followed_.size() == kMaxFollowed) followed_.clear();
        found = followed_.emplace(key, Followed{version.text, lsp::LineIndex(*version.text), {}, 0}).first;
    }
    Followed& followed = found->second;
    if (followed.revision != current.revision) {
        followed.map = source::text_diff(*version.text, current.document->text());
        followed.revision = current.revision;
    }
    return followed;
}

void Drift::edited(const std::string& file, std::span<const source::TextEdit> edits, SourceTexts& texts) {
    const SourceTexts::Current current = texts.current(file);
    if (current.document == nullptr) return;
    for (auto at = followed_.lower_bound({file, {}}); at != followed_.end() && at->first.first == file;
         ++at) {
        Followed& followed = at->second;
        // Of an earlier text: what lies between nobody followed, so the texts will be compared.
        if (followed.revision + 1 != current.revision) continue;
        for (const source::TextEdit& edit : edits) followed.map.edit(edit);
        followed.map.forget_undone(*followed.text, current.document->text());
        followed.revision = current.revision;
    }
}

} // namespace heddle::present
