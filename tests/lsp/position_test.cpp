#include "lsp/position.h"

#include <vector>

#include <gmock/gmock.h>

namespace heddle::lsp {
namespace {

using enum PositionEncoding;

TEST(Position, columns_of_each_encoding) {
    const std::string line = "aé中😀b"; // 1 + 2 + 3 + 4 + 1 bytes
    EXPECT_EQ(count_units(line, utf8), 11U);
    EXPECT_EQ(count_units(line, utf16), 6U);
    EXPECT_EQ(count_units(line, utf32), 5U);
    EXPECT_EQ(byte_of_column(line, 5, utf16), 10U);
    EXPECT_EQ(byte_of_column(line, 4, utf32), 10U);
    EXPECT_EQ(column_of_byte(line, 10, utf16), 5U);
    EXPECT_EQ(column_of_byte(line, 10, utf32), 4U);
}

TEST(Position, inside_of_a_character_is_its_beginning) {
    const std::string line = "é😀";
    EXPECT_EQ(byte_of_column(line, 2, utf16), 2U); // between the surrogates
    EXPECT_EQ(byte_of_column(line, 1, utf8), 0U);
    EXPECT_EQ(byte_of_column(line, 5, utf8), 2U);
}

TEST(Position, past_the_end_is_the_end) {
    for (const auto encoding : {utf8, utf16, utf32}) {
        EXPECT_EQ(byte_of_column("ab😀", 1'000'000'000, encoding), 6U);
        EXPECT_EQ(byte_of_column("", 3, encoding), 0U);
    }
}

TEST(Position, bytes_that_are_no_text_count_one_each) {
    for (const std::string line : {"\x80", "\xff", "\xc3", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe4\xb8",
                                   "\xc0\xaf", "\xf0\x80\x80\x80", "\xe0\x80\x80", "\xf4\x90\x80\x80"}) {
        EXPECT_EQ(count_units(line, utf32), line.size()) << testing::PrintToString(line);
        EXPECT_EQ(count_units(line, utf16), line.size());
    }
}

TEST(Position, encodings_are_negotiated) {
    using Offer = std::vector<std::string>;
    EXPECT_EQ(choose_encoding(Offer{}), utf16);
    EXPECT_EQ(choose_encoding(Offer{"utf-16"}), utf16);
    EXPECT_EQ(choose_encoding(Offer{"utf-16", "utf-32"}), utf32);
    EXPECT_EQ(choose_encoding(Offer{"utf-32", "utf-16", "utf-8"}), utf8);
    EXPECT_EQ(choose_encoding(Offer{"utf-7"}), utf16);
    for (const auto encoding : {utf8, utf16, utf32})
        EXPECT_EQ(position_encoding(to_text(encoding)), encoding);
    EXPECT_EQ(position_encoding("latin-1"), std::nullopt);
}

} // namespace
} // namespace heddle::lsp
