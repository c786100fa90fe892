#include "analysis/source/pieces.h"
#include "analysis/source/syntax_tree.h"
#include "random_editor.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <tree_sitter/api.h>

namespace heddle::source {
namespace {

using testing::ElementsAre;

/// The first lines of the pieces of C++.
std::vector<std::string> pieces_of(std::string_view text) {
    std::vector<std::string> lines;
    for (const ByteRange& piece : split(text, Language::cpp).pieces) {
        std::string_view line = text.substr(piece.first, piece.size());
        line.remove_prefix(line.find_first_not_of(" \n"));
        lines.emplace_back(line.substr(0, line.find('\n')));
    }
    return lines;
}

std::string frame_of(std::string_view text) {
    std::string frame;
    for (const ByteRange& range : split(text, Language::cpp).frame)
        frame += text.substr(range.first, range.size());
    return frame;
}

TEST(Pieces, are_functions_types_and_paragraphs) {
    EXPECT_THAT(
        pieces_of("#include <a>\n#include <b>\n\nint a;\nint b;\n\n// of f\nvoid f() {\n    a = 1;\n}\n"
                  "struct S {\n    int a;\n\n    int b;\n};\nint g() {\n}\n"),
        ElementsAre("#include <a>", "int a;", "// of f", "struct S {", "int g() {"));
}

TEST(Pieces, are_held_by_namespaces_linkage_and_conditionals) {
    const std::string_view text =
        "#ifndef A_H\n#define A_H\nnamespace a::b {\nnamespace {\nint x;\n}\n"
        "extern \"C\" {\nint y;\n}\n#if X // why\nint z;\n#else\nint z2;\n#endif\n} // a::b\n#endif\n";
    EXPECT_EQ(
        frame_of(text),
        "#ifndef A_H\nnamespace a::b {namespace {}extern \"C\" {}#if X // why\n#else\n#endif\n}#endif\n");
    EXPECT_THAT(pieces_of(text),
                ElementsAre("#define A_H", "int x;", "int y;", "int z;", "int z2;", "// a::b"));
}

TEST(Pieces, never_end_within_what_goes_on_behind_a_brace) {
    for (const std::string_view whole :
         {"int a[] = {\n    1,\n},\n    b = 2;\n", "struct S {\n    int a;\n}\nname;\n",
          "typedef struct {\n    int a;\n} T;\n", "auto f = [] {\n    return 1;\n}();\n",
          "A::A()\n    : a{\n          1},\n      b{2}\n{\n}\n", "void f() try {\n}\ncatch (...) {\n}\n",
          "int f(void)\n{\n}\n", "template<typename T = int>\nvoid f()\n{\n}\n",
          "bool operator==(A, B)\n{\n}\n", "extern \"C\" struct S {\n    int a;\n} s;\n",
          "void f(int a = g({\n           1})) {\n}\n", "#define M {\\\n    (\nint m;\n",
          "const char* s = \"{\" R\"(\n} \"\n)\";\n", "int n = 1'000 + '{';\n",
          "#if A\nvoid f(int a) {\n#else\nvoid f() {\n#endif\n    g();\n}\n", "struct S f(int a)\n{\n}\n",
          "int f() {\n#if A\n    if (a) {\n#else\n    if (b) {\n#endif\n    }\n}\n",
          "void f() {\nlabel:\n    x;\n\nother: y;\n}\n", "int a[] = {\n    1,\n}\n\n,\n    b = 2;\n"}) {
        const std::string text = std::string(whole) + "\nvoid after() {\n}\n";
        EXPECT_EQ(pieces_of(text).size(), 2U) << text;
    }
}

TEST(Pieces, what_only_cplusplus_brackets_is_as_if_it_had_none) {
    EXPECT_THAT(
        pieces_of("#ifdef __cplusplus\nextern \"C\" {\n#endif\nint f(void) {\n    return 1;\n}\nint b;\n"
                  "#ifdef __cplusplus\n}\n#endif\n"),
        ElementsAre("#ifdef __cplusplus", "int f(void) {", "int b;", "#ifdef __cplusplus"));
}

TEST(Pieces, brackets_that_do_not_match_end_with_their_piece) {
    const std::string before = "namespace n {\nint a() {\n    if (x) {\n        y();\n    }\n}\n\n";
    const std::string after = "int c() {\n    return 1;\n}\n} // namespace n\n";
    for (const std::string_view broken :
         {"int b() {\n    if (x {\n}\n\n", "int b() {\n    if (x) {\n}\n\n", "int b() {\nif (x) {\n}\n\n",
          "int b( {\n}\n\n", "int b() {\n    f(g(\n}\n\n", "int b() {\n    }\n    x();\n    }\n\n",
          "int b() {\n    \"\n}\n\n", "int b() {\n    R\"(\n}\n\n", "int b() {\n    /*\n}\n\n"}) {
        const std::string text = before + std::string(broken) + after;
        const Pieces pieces = split(text, Language::cpp);
        const auto piece_of = [&](std::string_view part) {
            const auto at = static_cast<std::uint32_t>(text.find(part));
            for (const ByteRange& piece : pieces.pieces) {
                if (piece.contains(at)) return text.substr(piece.first, piece.size());
            }
            return std::string();
        };
        EXPECT_EQ(piece_of("int a"), "\nint a() {\n    if (x) {\n        y();\n    }\n}\n\n") << text;
        EXPECT_THAT(piece_of("int c"), testing::EndsWith("int c() {\n    return 1;\n}\n")) << text;
        EXPECT_THAT(piece_of("int c"), testing::Not(testing::HasSubstr("int a"))) << text;
    }
}

/// Functions in namespaces, some lines each.
std::string namespaces(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
        const std::string number = std::to_string(i);
        text += "namespace n" + number + " {\n\nint f" + number + "() {\n    return 1;\n}\n\nint g" + number +
                "() {\n    return 2;\n}\n\n} // namespace n" + number + "\n\n";
    }
    return text;
}

TEST(Pieces, braces_too_many_are_one_by_themselves) {
    EXPECT_THAT(pieces_of("int a;\n}}}}\nint b;\n} }\n"), ElementsAre("int a;", "}}}}", "int b;", "}", "}"));
}

TEST(Pieces, of_what_is_around_a_mistake_are_the_same) {
    const std::string right = namespaces(9);
    const std::vector<std::string> before = pieces_of(right);
    const std::size_t at = right.find("    return 1;\n}\n\nint g4");
    for (const std::string_view wrong :
         {"}\n", "}\n}\n}\n", "if (a) {\n", "f(\n", "a += \n", "a = [] {\n", "namespace {\n"}) {
        std::string text = right;
        const std::vector<std::string> now = pieces_of(text.insert(at, wrong));
        const auto is_of = [](std::string_view name) {
            return [name](const std::string& piece) { return piece.find(name) != std::string::npos; };
        };
        const auto expect_same = [&](std::string_view name) {
            EXPECT_EQ(std::ranges::count_if(now, is_of(name)), std::ranges::count_if(before, is_of(name)))
                << name << " where there is " << wrong;
        };
        for (const char* name :
             {"f0", "g0", "// namespace n0", "f3", "g3", "f5", "g5", "// namespace n5", "f8", "g8"})
            expect_same(name);
    }
}

std::string contents(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Real code: our own.
std::vector<std::filesystem::path> sources() {
    std::vector<std::filesystem::path> result;
    for (const char* folder : {"analysis", "daemon", "lsp", "traces"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(
                 std::filesystem::path(HEDDLE_SOURCE_CASES) / "../../.." / folder)) {
            const std::string extension = entry.path().extension();
            const bool of_others = entry.path().string().find("node_modules") != std::string::npos;
            if (!of_others && (extension == ".cpp" || extension == ".h" || extension == ".c"))
                result.push_back(entry.path());
        }
    }
    return result;
}

struct Row {
    std::string kind;
    ByteRange range;
    bool operator==(const Row&) const = default;
};

void list(const Node& node, std::vector<Row>& rows) {
    for (const Node& child : node.children()) {
        rows.push_back({std::string(child.kind()), child.range()});
        list(child, rows);
    }
}

void list(TSNode node, std::vector<Row>& rows) {
    TSTreeCursor cursor = ts_tree_cursor_new(node);
    for (bool there = ts_tree_cursor_goto_first_child(&cursor); there;
         there = ts_tree_cursor_goto_next_sibling(&cursor)) {
        const TSNode child = ts_tree_cursor_current_node(&cursor);
        rows.push_back({ts_node_type(child), {ts_node_start_byte(child), ts_node_end_byte(child)}});
        list(child, rows);
    }
    ts_tree_cursor_delete(&cursor);
}

TEST(Pieces, together_are_the_tree_of_the_whole_text) {
    int whole = 0;
    int different = 0;
    for (const std::filesystem::path& path : sources()) {
        const std::string text = contents(path);
        const std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser(ts_parser_new(),
                                                                            ts_parser_delete);
        ts_parser_set_language(parser.get(), grammar(Language::cpp));
        const std::unique_ptr<TSTree, decltype(&ts_tree_delete)> tree(
            ts_parser_parse_string(parser.get(), nullptr, text.data(),
                                   static_cast<std::uint32_t>(text.size())),
            ts_tree_delete);
        const TSNode root = ts_tree_root_node(tree.get());
        if (ts_node_has_error(root)) continue;
        ++whole;
        std::vector<Row> expected;
        std::vector<Row> actual;
        list(root, expected);
        const SyntaxTree pieces = SyntaxTree::parse(text, Language::cpp);
        list(pieces.root(), actual);
        EXPECT_FALSE(pieces.root().error()) << path;
        different += actual == expected ? 0 : 1;
    }
    EXPECT_GT(whole, 500);
    // A comment behind the last declaration of a branch of the preprocessor is in it, or behind it.
    EXPECT_LE(different, whole / 100);
}

TEST(Pieces, of_an_edited_text_are_those_of_the_text) {
    const std::string text =
        contents(std::filesystem::path(HEDDLE_SOURCE_CASES) / "../../../analysis/source/pieces.cpp") +
        "#if X\nint x;\n#else\nint y;\n#endif\nextern \"C\" {\nint z(void) {\n    return 1;\n}\n}\n";
    constexpr int kEdits = 3'000;
    constexpr int kOfOneText = 100;
    for (int edits = 0; edits < kEdits; edits += kOfOneText) {
        Editor editor(text, static_cast<std::uint64_t>(edits));
        PieceFinder finder(Language::cpp);
        static_cast<void>(finder.split(text));
        for (int i = 0; i < kOfOneText; ++i) {
            const TextEdit edit = editor.next();
            const Pieces again = finder.split_again(editor.model.text, edit);
            const Pieces fresh = split(editor.model.text, Language::cpp);
            ASSERT_EQ(again.frame, fresh.frame) << "edit " << edits + i;
            ASSERT_EQ(again.pieces, fresh.pieces) << "edit " << edits + i;
        }
    }
}

/// Everything but blanks is in one piece or one part of the frame.
void expect_all_covered(const std::string& text) {
    const Pieces pieces = split(text, Language::cpp);
    std::vector<ByteRange> all = pieces.pieces;
    all.insert(all.end(), pieces.frame.begin(), pieces.frame.end());
    std::ranges::sort(all, {}, &ByteRange::first);
    std::uint32_t covered = 0;
    const auto expect_blank = [&](std::uint32_t end) {
        ASSERT_LE(covered, end);
        EXPECT_EQ(text.substr(covered, end - covered).find_first_not_of(" \n"), std::string::npos) << covered;
    };
    for (const ByteRange& range : all) {
        ASSERT_NO_FATAL_FAILURE(expect_blank(range.first));
        covered = range.end;
    }
    expect_blank(static_cast<std::uint32_t>(text.size()));
}

// A megabyte each: what is quadratic takes hours.
TEST(Pieces, cover_hostile_texts_in_time) {
    for (const std::string_view part :
         {"{", "(", "}", "/*", "R\"(", "#if\n", "#if 1\n{\n#else\n", "1'1'", "template<", "namespace a{",
          "\"", "#ifdef __cplusplus\n}\n#endif\n", "#if 1\nnamespace a{\n", "\\\n", "        "}) {
        std::string text;
        while (text.size() < 1'000'000) text += part;
        SCOPED_TRACE(part);
        expect_all_covered(text);
    }
    std::string deep;
    for (int i = 0; i < 30'000; ++i) deep += "#if A\nint f() {\n    return 1;\n}\n";
    deep += "int g() {\n    if (\n}\n";
    for (int i = 0; i < 30'000; ++i) deep += "#endif\n";
    expect_all_covered(deep);
    expect_all_covered("");
}

} // namespace
} // namespace heddle::source
