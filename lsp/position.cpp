#include "lsp/position.h"

#include <algorithm>

namespace heddle::lsp {

namespace {

struct Character {
    std::size_t bytes = 1;
    bool is_astral = false; ///< past U+FFFF: two units of UTF-16
};

constexpr unsigned byte_at(std::string_view text, std::size_t at) {
    return static_cast<unsigned char>(text[at]);
}

/// How long a character that begins with this byte is; 1 for a byte that none begins with.
constexpr std::size_t announced_length(unsigned lead) {
    if (lead >= 0xC2 && lead <= 0xDF) return 2;
    if (lead >= 0xE0 && lead <= 0xEF) return 3;
    if (lead >= 0xF0 && lead <= 0xF4) return 4;
    return 1;
}

/// Surrogates, forms that are longer than needed, and what is past U+10FFFF show in the second byte.
constexpr bool second_byte_fits(unsigned lead, unsigned second) {
    switch (lead) {
    case 0xE0: return second >= 0xA0;
    case 0xED: return second < 0xA0;
    case 0xF0: return second >= 0x90;
    case 0xF4: return second < 0x90;
    default: return true;
    }
}

/// The character that begins at the front of a text that is not empty.
Character first_character(std::string_view text) {
    const unsigned lead = byte_at(text, 0);
    const std::size_t length = announced_length(lead);
    if (length == 1 || length > text.size() || !second_byte_fits(lead, byte_at(text, 1))) return {};
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte_at(text, i) & 0xC0U) != 0x80) return {};
    }
    return {.bytes = length, .is_astral = length == 4};
}

std::size_t units_of(Character character, PositionEncoding encoding) {
    switch (encoding) {
    case PositionEncoding::utf8: return character.bytes;
    case PositionEncoding::utf16: return character.is_astral ? 2 : 1;
    case PositionEncoding::utf32: break;
    }
    return 1;
}

} // namespace

std::string_view to_text(PositionEncoding encoding) {
    switch (encoding) {
    case PositionEncoding::utf8: return "utf-8";
    case PositionEncoding::utf16: return "utf-16";
    case PositionEncoding::utf32: break;
    }
    return "utf-32";
}

std::optional<PositionEncoding> position_encoding(std::string_view name) {
    for (const auto encoding : {PositionEncoding::utf8, PositionEncoding::utf16, PositionEncoding::utf32}) {
        if (name == to_text(encoding)) return encoding;
    }
    return std::nullopt;
}

PositionEncoding choose_encoding(std::span<const std::string> offered) {
    for (const auto encoding : {PositionEncoding::utf8, PositionEncoding::utf32}) {
        if (std::ranges::find(offered, to_text(encoding)) != offered.end()) return encoding;
    }
    return PositionEncoding::utf16;
}

std::size_t count_units(std::string_view text, PositionEncoding encoding) {
    if (encoding == PositionEncoding::utf8) return text.size();
    std::size_t units = 0;
    while (!text.empty()) {
        const Character character = first_character(text);
        units += units_of(character, encoding);
        text.remove_prefix(character.bytes);
    }
    return units;
}

std::size_t byte_of_column(std::string_view line, std::size_t column, PositionEncoding encoding) {
    std::size_t byte = 0;
    while (column > 0 && byte < line.size()) {
        const Character character = first_character(line.substr(byte));
        const std::size_t units = units_of(character, encoding);
        if (units > column) break; // inside of the character
        column -= units;
        byte += character.bytes;
    }
    return byte;
}

std::uint32_t column_of_byte(std::string_view line, std::size_t byte, PositionEncoding encoding) {
    return static_cast<std::uint32_t>(count_units(line.substr(0, byte), encoding));
}

} // namespace heddle::lsp
