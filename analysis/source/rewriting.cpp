#include "analysis/source/rewriting.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

namespace heddle::source {

namespace {

constexpr std::string_view kBlanks = " \t";

std::size_t line_start(std::string_view text, std::size_t byte) {
    const std::size_t newline = byte == 0 ? std::string_view::npos : text.rfind('\n', byte - 1);
    return newline == std::string_view::npos ? 0 : newline + 1;
}

std::size_t next_line(std::string_view text, std::size_t byte) {
    const std::size_t newline = text.find('\n', byte);
    return newline == std::string_view::npos ? text.size() : newline + 1;
}

std::string_view without_blanks(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return line.substr(first, line.find_last_not_of(" \t\r\n") - first + 1);
}

/// What a line includes: "<mutex>", "\"bank.h\"", with its brackets; empty for other lines.
std::string_view included_by(std::string_view line) {
    line = without_blanks(line);
    if (!line.starts_with('#')) return {};
    line = without_blanks(line.substr(1));
    if (!line.starts_with("include")) return {};
    line = without_blanks(line.substr(7));
    const char close = line.starts_with('<') ? '>' : '"';
    const std::size_t end = line.find(close, 1);
    return end == std::string_view::npos ? std::string_view() : line.substr(0, end + 1);
}

bool is_system(std::string_view included) {
    return included.starts_with('<');
}
bool is_standard(std::string_view included) {
    return is_system(included) && included.find('/') == std::string_view::npos;
}

struct Include {
    std::size_t first = 0; ///< of the line
    std::size_t end = 0;
    std::string_view name;
    std::size_t block = 0; ///< lines that follow each other
};

/// Those under the fewest conditions: a header's guard is one.
std::vector<Include> unconditional_includes(std::string_view text) {
    std::vector<Include> all;
    std::size_t depth = 0;
    std::size_t least = std::string_view::npos;
    std::size_t block = 0;
    for (std::size_t at = 0; at < text.size(); at = next_line(text, at)) {
        const std::size_t end = next_line(text, at);
        const std::string_view line = without_blanks(text.substr(at, end - at));
        if (line.starts_with("#if")) ++depth;
        if (line.starts_with("#endif") && depth > 0) --depth;
        const std::string_view name = included_by(line);
        if (name.empty() || depth > least) continue;
        if (depth < least) all.clear();
        least = depth;
        if (!all.empty() && all.back().end != at) ++block;
        all.push_back({at, end, name, block});
    }
    return all;
}

/// Behind the comment that a text begins with, and `#pragma once`.
std::size_t behind_the_head(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = next_line(text, at);
        const std::string_view line = without_blanks(text.substr(at, end - at));
        if (!line.starts_with("//") && !line.starts_with("#pragma once")) break;
        at = end;
    }
    return at;
}

} // namespace

std::string rewritten(std::string text, std::vector<Replacement> replacements) {
    // From the end to the beginning; what is put in before something that is replaced comes after that.
    std::ranges::stable_sort(replacements, std::greater{}, [](const Replacement& one) {
        return std::pair(one.range.first, one.range.end);
    });
    for (const Replacement& one : replacements)
        text.replace(one.range.first, one.range.end - one.range.first, one.text);
    return text;
}

std::string_view line_end_of(std::string_view text) {
    const std::size_t newline = text.find('\n');
    const bool carriage = newline != std::string_view::npos && newline > 0 && text[newline - 1] == '\r';
    return carriage ? "\r\n" : "\n";
}

std::string_view indentation_at(std::string_view text, std::uint32_t byte) {
    const std::size_t first = line_start(text, byte);
    const std::size_t end = std::min<std::size_t>(text.find_first_not_of(kBlanks, first), byte);
    return text.substr(first, end - first);
}

ByteRange whole_lines(std::string_view text, ByteRange range) {
    const std::size_t first = line_start(text, range.first);
    const std::size_t end = next_line(text, range.end);
    const bool alone_before = without_blanks(text.substr(first, range.first - first)).empty();
    const std::string_view behind = without_blanks(text.substr(range.end, end - range.end));
    if (alone_before && (behind.empty() || behind.starts_with("//")))
        return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end)};
    const std::size_t more = std::min(text.find_first_not_of(kBlanks, range.end), text.size());
    return {range.first, static_cast<std::uint32_t>(more)};
}

std::vector<Replacement> including(std::string_view text, std::string_view header) {
    const std::string wanted = "<" + std::string(header) + ">";
    const std::vector<Include> all = unconditional_includes(text);
    if (std::ranges::any_of(all, [&](const Include& one) { return one.name == wanted; })) return {};
    const std::string end(line_end_of(text));
    const auto put = [&](std::size_t at, std::string added) -> std::vector<Replacement> {
        const auto byte = static_cast<std::uint32_t>(at);
        return {{{byte, byte}, std::move(added)}};
    };
    const std::string line = "#include " + wanted + end;
    if (all.empty()) return put(behind_the_head(text), line + end);
    // The block to belong to: of the language's headers, or else of headers in angles at all.
    std::optional<std::size_t> block;
    for (const auto& fits : {&is_standard, &is_system}) {
        for (const Include& one : all) {
            if (!block && fits(one.name)) block = one.block;
        }
    }
    if (!block) return put(all.back().end, end + line);
    std::size_t behind = 0;
    for (const Include& one : all) {
        if (one.block != *block || !is_system(one.name)) continue;
        if (one.name > wanted) return put(one.first, line);
        behind = one.end;
    }
    return put(behind, line);
}

} // namespace heddle::source
