#include "daemon/present/source_range.h"

namespace heddle::present {

namespace {

/// Bytes of characters beyond ASCII may be part of an identifier, and must not be cut apart.
bool is_word(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '_' || static_cast<unsigned char>(letter) >= 0x80;
}

bool is_space(char letter) {
    return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n' || letter == '\f';
}

bool is_bracket(char letter) {
    return std::string_view("()[]{};,").find(letter) != std::string_view::npos;
}

ByteRange whole(std::string_view line) {
    ByteRange range{0, line.size()};
    while (range.first < range.end && is_space(line[range.first])) ++range.first;
    while (range.end > range.first && is_space(line[range.end - 1])) --range.end;
    return range;
}

} // namespace

ByteRange range_in_line(std::string_view line, std::uint32_t column) {
    if (column == 0 || column > line.size() || is_space(line[column - 1])) return whole(line);
    ByteRange range{column - 1U, column};
    const char letter = line[range.first];
    if (is_bracket(letter)) return range;
    const bool word = is_word(letter);
    const auto same = [&](char other) {
        return is_word(other) == word && !is_space(other) && !(!word && is_bracket(other));
    };
    while (range.first > 0 && same(line[range.first - 1])) --range.first;
    while (range.end < line.size() && same(line[range.end])) ++range.end;
    return range;
}

} // namespace heddle::present
