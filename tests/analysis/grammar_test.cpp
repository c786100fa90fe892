#include "analysis/source/grammar.h"

#include <memory>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <tree_sitter/api.h>

namespace heddle {
namespace {

using testing::Optional;

/// The text of the first node of the kind, depth first.
std::string first_of_kind(TSNode node, std::string_view kind, std::string_view source) {
    if (ts_node_type(node) == kind) {
        const std::uint32_t start = ts_node_start_byte(node);
        return std::string(source.substr(start, ts_node_end_byte(node) - start));
    }
    for (std::uint32_t child = 0; child < ts_node_child_count(node); ++child) {
        if (std::string found = first_of_kind(ts_node_child(node, child), kind, source); !found.empty())
            return found;
    }
    return {};
}

std::string parse_and_find(Language language, std::string_view kind, std::string_view source) {
    const std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser(ts_parser_new(), ts_parser_delete);
    if (!ts_parser_set_language(parser.get(), grammar(language))) return "the library refuses the grammar";
    const std::unique_ptr<TSTree, decltype(&ts_tree_delete)> tree(
        ts_parser_parse_string(parser.get(), nullptr, source.data(),
                               static_cast<std::uint32_t>(source.size())),
        ts_tree_delete);
    const TSNode root = ts_tree_root_node(tree.get());
    if (ts_node_has_error(root)) return "the source has a syntax error";
    return first_of_kind(root, kind, source);
}

TEST(Grammar, finds_a_function_definition_in_c) {
    EXPECT_EQ(parse_and_find(Language::c, "function_definition",
                             "#include <pthread.h>\n"
                             "static int total;\n"
                             "void add(int n) { total += n; }\n"),
              "void add(int n) { total += n; }");
}

TEST(Grammar, finds_a_function_definition_in_cpp) {
    // The raw string needs the grammar's hand-written scanner.
    EXPECT_EQ(parse_and_find(Language::cpp, "function_definition",
                             "namespace bank {\n"
                             "template<typename T> struct Account;\n"
                             "auto name() -> const char* { return R\"x(a \")\" b)x\"; }\n"
                             "}\n"),
              "auto name() -> const char* { return R\"x(a \")\" b)x\"; }");
}

TEST(Grammar, c_and_cpp_differ) {
    constexpr std::string_view kMethod = "struct Account { void deposit(int n) { total += n; } int total; };";
    EXPECT_EQ(parse_and_find(Language::cpp, "function_definition", kMethod),
              "void deposit(int n) { total += n; }");
    EXPECT_EQ(parse_and_find(Language::c, "function_definition", kMethod), "the source has a syntax error");
}

TEST(Grammar, the_extension_tells_the_language) {
    EXPECT_THAT(language_of("src/bank.c"), Optional(Language::c));
    for (const char* path :
         {"bank.cpp", "/a.b/bank.cc", "bank.cxx", "bank.C", "bank.hpp", "bank.h", "x.y.hh"}) {
        EXPECT_THAT(language_of(path), Optional(Language::cpp)) << path;
    }
    for (const char* path : {"", "bank", "bank.py", "bank.", ".c", "dir.cpp/bank", "dir.c/.h", "bank.cpp~"}) {
        EXPECT_EQ(language_of(path), std::nullopt) << path;
    }
}

} // namespace
} // namespace heddle
