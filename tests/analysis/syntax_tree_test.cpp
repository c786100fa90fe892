#include "analysis/source/functions.h"
#include "analysis/source/syntax_tree.h"

#include <string>
#include <string_view>

#include <gmock/gmock.h>

namespace heddle::source {
namespace {

using testing::ElementsAre;

constexpr std::string_view kBank = R"(
namespace bank {
template<typename T> struct Account {
    void deposit(int n) { balance += n; }
    int balance = 0;
};
int* Bank::find(int id) const noexcept { return [&] { return &all[id]; }(); }
Account<int>& operator+=(Account<int>& a, int n) { a.deposit(n); return a; }
}
TEST(Bank, keeps_money) { EXPECT_EQ(1, 1); }
int before;
)";

std::string name_at(const SyntaxTree& tree, std::string_view text) {
    const auto function = enclosing_function(tree, static_cast<std::uint32_t>(tree.text().find(text)));
    return function ? function->name : "";
}

/// The tree as one text, so that two can be compared.
std::string shape(const Node& node) {
    std::string text(node.kind());
    text += std::to_string(node.range().first) + "-" + std::to_string(node.range().end) + "(";
    for (const Node& child : node.children()) text += shape(child);
    return text + ")";
}

TEST(SyntaxTree, knows_the_function_around_a_place) {
    const SyntaxTree tree = SyntaxTree::parse(std::string(kBank), Language::cpp);
    EXPECT_EQ(name_at(tree, "balance +="), "deposit");
    EXPECT_EQ(name_at(tree, "all[id]"), "Bank::find"); // the lambda is a part of it
    EXPECT_EQ(name_at(tree, "a.deposit"), "operator+=");
    EXPECT_EQ(name_at(tree, "EXPECT_EQ"), "Bank.keeps_money");
    EXPECT_EQ(name_at(tree, "before"), "");
    const auto deposit = enclosing_function(tree, static_cast<std::uint32_t>(kBank.find("balance +=")));
    ASSERT_TRUE(deposit);
    EXPECT_EQ(tree.text(deposit->range), "void deposit(int n) { balance += n; }");
    EXPECT_EQ(tree.text(deposit->body), "{ balance += n; }");
    EXPECT_EQ(tree.text(deposit->name_at), "deposit");
}

/// tree-sitter writes beyond its memory where an error has more than 65,535 tokens.
TEST(SyntaxTree, does_without_what_is_too_large_for_the_parser) {
    std::string numbers;
    for (int i = 0; i < 100'000; ++i) numbers += std::to_string(i) + ",\n";
    const std::string heads = [] {
        std::string many;
        for (int i = 0; i < 40'000; ++i) many += "namespace a {\n";
        return many;
    }();
    for (const std::string& broken :
         {"int table[] = {{(\n" + numbers + "};\n", "int f() {" + std::string(70'000, '{') + "\n",
          "int f() { return " + std::string(70'000, '(') + "\n", std::string(70'000, '}'), heads}) {
        SCOPED_TRACE(broken.substr(0, 20));
        const std::string text = "void before() { ++x; }\n\n" + broken + "\n";
        SyntaxTree tree = SyntaxTree::parse(text, Language::cpp);
        EXPECT_EQ(name_at(tree, "++x"), "before");
        EXPECT_TRUE(tree.root().error());
    }
}

TEST(SyntaxTree, lists_functions_and_tests) {
    const SyntaxTree tree = SyntaxTree::parse(std::string(kBank), Language::cpp);
    std::vector<std::string> names;
    for (const Function& function : functions(tree))
        names.push_back(function.name + (function.test ? " (test)" : ""));
    EXPECT_THAT(names, ElementsAre("deposit", "Bank::find", "operator+=", "Bank.keeps_money (test)"));
}

TEST(SyntaxTree, an_edited_tree_is_the_tree_of_the_edited_text) {
    const std::string before = "int a;\nvoid f() {\n    a = 1;\n}\nvoid g() { a++; }\n";
    SyntaxTree tree = SyntaxTree::parse(before, Language::c);
    const SyntaxTree copy = tree;
    const auto start = static_cast<std::uint32_t>(before.find("1;"));
    const std::string put = "2;\n    if (a) g()";
    std::string after = before;
    after.replace(start, 1, put);
    tree.edit(
        {.start = start, .old_end = start + 1, .new_end = start + static_cast<std::uint32_t>(put.size())},
        after);
    EXPECT_EQ(shape(tree.root()), shape(SyntaxTree::parse(after, Language::c).root()));
    EXPECT_EQ(shape(copy.root()), shape(SyntaxTree::parse(before, Language::c).root()));
}

TEST(SyntaxTree, the_path_leads_to_the_token) {
    const SyntaxTree tree = SyntaxTree::parse("int f() { return a + b; }", Language::c);
    const auto path = tree.path_to(19);
    ASSERT_FALSE(path.empty());
    EXPECT_EQ(path.front(), tree.root());
    EXPECT_EQ(path.back().kind(), "+");
    EXPECT_EQ(path[path.size() - 2].kind(), "binary_expression");
    EXPECT_EQ(tree.text(path[path.size() - 2].field("right")), "b");
    EXPECT_EQ(path.back().parent(), path[path.size() - 2]);
}

TEST(SyntaxTree, any_text_has_a_tree) {
    for (const char* text : {"", "}{", "int f( {", "\xff\xfe", "/* open"}) {
        const SyntaxTree tree = SyntaxTree::parse(text, Language::cpp);
        EXPECT_TRUE(tree.root().valid()) << text;
        EXPECT_FALSE(enclosing_function(tree, 0)) << text;
        EXPECT_FALSE(enclosing_function(tree, 1000)) << text;
    }
}

} // namespace
} // namespace heddle::source
