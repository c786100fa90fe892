#include "lsp/text_document.h"

#include <chrono>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace heddle::lsp {
namespace {

using enum PositionEncoding;
using testing::ElementsAre;

std::vector<std::string> lines(const TextDocument& document) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < document.line_count(); ++i) all.emplace_back(document.line(i));
    return all;
}

TextDocumentContentChangeEvent change(Position start, Position end, std::string text) {
    return {.range = Range{start, end}, .text = std::move(text)};
}

TEST(TextDocument, line_ends_of_all_kinds) {
    EXPECT_THAT(lines(TextDocument("a\nb\r\nc\rd", 1, utf8)), ElementsAre("a", "b", "c", "d"));
    EXPECT_THAT(lines(TextDocument("", 1, utf8)), ElementsAre(""));
    EXPECT_THAT(lines(TextDocument("\r\r\n\n\r", 1, utf8)), ElementsAre("", "", "", "", ""));
    EXPECT_EQ(TextDocument("a\n", 1, utf8).line(7), "");
}

TEST(TextDocument, changes_apply_in_order) {
    TextDocument document("one\r\ntwo\r\n", 1, utf16);
    const std::vector<TextDocumentContentChangeEvent> changes{
        change({0, 0}, {0, 3}, "😀"), change({0, 2}, {0, 2}, "!"), change({1, 0}, {2, 0}, "")};
    ASSERT_TRUE(document.apply(changes, 2));
    EXPECT_EQ(document.text(), "😀!\r\n");
    EXPECT_EQ(document.version(), 2);
    ASSERT_TRUE(document.apply(
        std::vector<TextDocumentContentChangeEvent>{{.range = std::nullopt, .text = "new"}}, 3));
    EXPECT_THAT(lines(document), ElementsAre("new"));
}

TEST(TextDocument, positions_are_clamped) {
    const TextDocument document("ab\r\nc", 1, utf16);
    EXPECT_EQ(document.byte_at({0, 99}), 2U); // before the line end, not behind it
    EXPECT_EQ(document.byte_at({99, 0}), 5U);
    EXPECT_EQ(document.byte_at({2147483647, 2147483647}), 5U);
    EXPECT_EQ(document.position_of(99), (Position{1, 1}));
    EXPECT_EQ(document.position_of(3), (Position{0, 2})); // inside of the line end
    EXPECT_EQ(document.range_of(0, 4), (Range{{0, 0}, {1, 0}}));
}

TEST(TextDocument, a_range_may_be_given_backwards) {
    TextDocument document("abcdef", 1, utf8);
    ASSERT_TRUE(document.apply(std::vector{change({0, 4}, {0, 2}, "-")}, 2));
    EXPECT_EQ(document.text(), "ab-ef");
}

TEST(TextDocument, line_ends_that_meet_become_one) {
    TextDocument document("a\rxb", 1, utf8);
    ASSERT_TRUE(document.apply(std::vector{change({1, 0}, {1, 1}, "\n")}, 2));
    EXPECT_THAT(lines(document), ElementsAre("a", "b"));
    ASSERT_TRUE(document.apply(std::vector{change({0, 1}, {1, 0}, "\r")}, 3));
    ASSERT_TRUE(document.apply(std::vector{change({1, 0}, {1, 0}, "\n")}, 4));
    EXPECT_THAT(lines(document), ElementsAre("a", "b"));
}

TEST(TextDocument, growth_has_a_limit_and_the_whole_text_mends_it) {
    TextDocument document(std::string(TextDocument::kMaxBytes, 'x'), 1, utf8);
    EXPECT_FALSE(document.apply(std::vector{change({0, 0}, {0, 0}, "y")}, 2));
    EXPECT_FALSE(document.in_sync());
    ASSERT_TRUE(document.apply(
        std::vector<TextDocumentContentChangeEvent>{{.range = std::nullopt, .text = "small"}}, 3));
    EXPECT_TRUE(document.in_sync());
    EXPECT_EQ(document.text(), "small");
}

/// The same, written to be read rather than to be fast, over characters instead of bytes.
class NaiveDocument {
  public:
    NaiveDocument(std::u32string text, PositionEncoding encoding)
        : text_(std::move(text)), encoding_(encoding) {}

    void replace(Position from, Position to, const std::u32string& with) {
        std::size_t first = index_of(from);
        std::size_t last = index_of(to);
        if (last < first) std::swap(first, last);
        text_.replace(first, last - first, with);
    }

    [[nodiscard]] const std::u32string& text() const { return text_; }

  private:
    [[nodiscard]] bool at_line_end(std::size_t at) const { return text_[at] == U'\n' || text_[at] == U'\r'; }

    [[nodiscard]] std::size_t units(char32_t c) const {
        if (encoding_ == utf32) return 1;
        if (encoding_ == utf16) return c > 0xFFFF ? 2 : 1;
        return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    }

    [[nodiscard]] std::size_t index_of(Position position) const {
        std::size_t at = 0;
        for (std::uint32_t line = 0; line < position.line; ++line) {
            while (at < text_.size() && !at_line_end(at)) ++at;
            if (at == text_.size()) return at;
            at += text_.substr(at, 2) == U"\r\n" ? 2U : 1U;
        }
        std::size_t column = position.character;
        while (at < text_.size() && !at_line_end(at) && units(text_[at]) <= column)
            column -= units(text_[at++]);
        return at;
    }

    std::u32string text_;
    PositionEncoding encoding_;
};

std::string in_utf8(const std::u32string& text) {
    std::string bytes;
    for (const char32_t c : text) {
        const auto low = [c](unsigned shift) { return static_cast<char>(0x80U | ((c >> shift) & 0x3FU)); };
        if (c < 0x80) {
            bytes += static_cast<char>(c);
        } else if (c < 0x800) {
            bytes += {static_cast<char>(0xC0U | (c >> 6U)), low(0)};
        } else if (c < 0x10000) {
            bytes += {static_cast<char>(0xE0U | (c >> 12U)), low(6), low(0)};
        } else {
            bytes += {static_cast<char>(0xF0U | (c >> 18U)), low(12), low(6), low(0)};
        }
    }
    return bytes;
}

class RandomEdits : public testing::TestWithParam<PositionEncoding> {};

TEST_P(RandomEdits, agree_with_the_naive_document) {
    constexpr std::u32string_view kAlphabet = U"ab \n\n\r\r\té中😀𝕏";
    std::mt19937 random(static_cast<unsigned>(GetParam()) + 1);
    const auto up_to = [&](std::size_t limit) { return static_cast<std::uint32_t>(random() % (limit + 1)); };
    const auto some_text = [&](std::size_t longest) {
        std::u32string text(up_to(longest), U' ');
        for (char32_t& c : text) c = kAlphabet[random() % kAlphabet.size()];
        return text;
    };
    const std::u32string initial = some_text(400);
    NaiveDocument naive(initial, GetParam());
    TextDocument document(in_utf8(initial), 0, GetParam());
    for (int edit = 1; edit <= 10'000; ++edit) {
        const std::size_t line_count = document.line_count();
        const Position start{up_to(line_count), up_to(12)};
        const Position end{random() % 8 == 0 ? up_to(line_count) : start.line + up_to(2), up_to(12)};
        // Texts neither vanish nor grow without end.
        const std::u32string text = some_text(naive.text().size() > 2'000 ? 2 : 12);
        naive.replace(start, end, text);
        ASSERT_TRUE(document.apply(std::vector{change(start, end, in_utf8(text))}, edit));
        ASSERT_EQ(document.text(), in_utf8(naive.text())) << "edit " << edit;
        const TextDocument fresh(document.text(), edit, GetParam());
        ASSERT_EQ(lines(document), lines(fresh)) << "edit " << edit;
        const std::size_t byte = document.byte_at(start);
        ASSERT_EQ(document.byte_at(document.position_of(byte)), byte) << "edit " << edit;
    }
}

INSTANTIATE_TEST_SUITE_P(TextDocument, RandomEdits, testing::Values(utf8, utf16, utf32),
                         [](const auto& test) { return "utf" + std::string(to_text(test.param).substr(4)); });

/// Ten times what it takes on a slow machine, so that only another order of growth can fail it.
TEST(TextDocument, an_edit_of_a_large_document_is_far_below_a_millisecond) {
    std::string text;
    for (int i = 0; i < 20'000; ++i)
        text += "    int value = compute(argument, other); // a line as they are\r\n";
    TextDocument document(std::move(text), 0, utf16);
    constexpr int kEdits = 200;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < kEdits; ++i) {
        const auto line = static_cast<std::uint32_t>(i * 97);
        ASSERT_TRUE(
            document.apply(std::vector{change({line, 4}, {line, 7}, i % 2 == 0 ? "auto\n" : "x")}, i));
    }
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    RecordProperty("microseconds_per_edit", static_cast<int>(took.count() * 1000 / kEdits));
    EXPECT_LT(took.count() / kEdits, 2.0);
}

} // namespace
} // namespace heddle::lsp
