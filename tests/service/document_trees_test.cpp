// The syntax of open documents: parsed elsewhere, kept current by edits.
#include "daemon/present/document_trees.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

namespace heddle::present {
namespace {

class DocumentTreesTest : public testing::Test {
  protected:
    /// Does what was handed over, as a worker would.
    void work() {
        for (auto& one : std::exchange(elsewhere_, {})) one()();
    }
    void ask() {
        ASSERT_TRUE(trees_.with_tree(kPath, document_, [this](const source::SyntaxTree* tree) {
            answers_.push_back(tree == nullptr ? "closed" : tree->text());
        }));
    }
    void replace(std::uint32_t from, std::uint32_t count, const std::string& put) {
        std::string text = document_.text();
        text.replace(from, count, put);
        document_ = lsp::TextDocument(text, document_.version() + 1, lsp::PositionEncoding::utf8);
        const std::vector<source::TextEdit> edits = {
            {from, from + count, from + static_cast<std::uint32_t>(put.size())}};
        static_cast<void>(trees_.edited(kPath, edits, document_));
    }

    static constexpr const char* kPath = "/project/a.cpp";
    lsp::TextDocument document_{"int a;\n", 1, lsp::PositionEncoding::utf8};
    std::vector<std::function<std::function<void()>()>> elsewhere_;
    DocumentTrees trees_{
        [this](const std::function<std::function<void()>()>& one) { elsewhere_.push_back(one); }};
    std::vector<std::string> answers_;
};

TEST_F(DocumentTreesTest, the_first_tree_is_made_elsewhere) {
    ask();
    EXPECT_THAT(answers_, testing::IsEmpty());
    work();
    EXPECT_THAT(answers_, testing::ElementsAre("int a;\n"));
    ask(); // known by now
    EXPECT_EQ(answers_.size(), 2U);
    EXPECT_TRUE(elsewhere_.empty());
}

TEST_F(DocumentTreesTest, an_edit_is_followed_at_once) {
    ask();
    work();
    replace(4, 1, "b");
    ask();
    EXPECT_EQ(answers_.back(), "int b;\n");
    EXPECT_TRUE(elsewhere_.empty());
}

TEST_F(DocumentTreesTest, a_text_that_goes_on_while_it_is_parsed_is_parsed_again) {
    ask();
    replace(4, 1, "b");
    work(); // of the text before
    EXPECT_THAT(answers_, testing::IsEmpty());
    work();
    EXPECT_THAT(answers_, testing::ElementsAre("int b;\n"));
}

TEST_F(DocumentTreesTest, who_waits_for_a_document_that_is_closed_is_told) {
    ask();
    trees_.closed(kPath);
    EXPECT_THAT(answers_, testing::ElementsAre("closed"));
    work(); // nobody minds
}

TEST_F(DocumentTreesTest, what_takes_too_long_is_finished_elsewhere) {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += "int f" + std::to_string(i) + "(int a) { return a + 1; }\n";
    document_ = lsp::TextDocument(text, 1, lsp::PositionEncoding::utf8);
    ask();
    work();
    replace(0, 0, "struct {"); // all that follows becomes part of it
    ask();
    while (!elsewhere_.empty()) work();
    EXPECT_EQ(answers_.size(), 2U);
    EXPECT_EQ(answers_.back(), "struct {" + text);
}

TEST_F(DocumentTreesTest, what_is_no_longer_of_use_is_freed_elsewhere) {
    std::string text;
    for (int i = 0; i < 2'000; ++i) text += "int f" + std::to_string(i) + "(int a) { return a + 1; }\n\n";
    document_ = lsp::TextDocument(text + "/* the end */\n", 1, lsp::PositionEncoding::utf8);
    ask();
    work();
    replace(0, 0, "/* "); // what this takes away is kept for when the comment ends
    EXPECT_TRUE(elsewhere_.empty());
    replace(3, 0, "*/"); // that is of no more use
    replace(0, 0, "/* ");
    EXPECT_FALSE(elsewhere_.empty());
    work();
    trees_.closed(kPath);
    EXPECT_FALSE(elsewhere_.empty());
    work();
}

TEST_F(DocumentTreesTest, other_languages_have_no_tree) {
    EXPECT_FALSE(trees_.with_tree("/project/a.py", document_, [](const source::SyntaxTree*) { FAIL(); }));
}

TEST(TextEdits, two_are_one) {
    // "abcdef": [1, 3) becomes 4 bytes, then [3, 6) of that 1 byte.
    const source::TextEdit both = source::combined({1, 3, 5}, {3, 6, 4});
    EXPECT_EQ(both.start, 1U);
    EXPECT_EQ(both.old_end, 4U);
    EXPECT_EQ(both.new_end, 4U);
}

} // namespace
} // namespace heddle::present
