#include "analysis/source/functions.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace heddle::source {

namespace {

/// What GoogleTest defines a test case with: TEST(Suite, Name) { … } reads like a function to a parser.
constexpr std::array<std::string_view, 5> kTestMacros = {"TEST", "TEST_F", "TEST_P", "TYPED_TEST",
                                                         "TYPED_TEST_P"};

/// "f" of `int* f(int)`: down through pointers, references and attributes to the function's declarator.
Node function_declarator(Node node) {
    while (node && !node.is("function_declarator")) {
        Node inner = node.field("declarator");
        if (!inner) {
            for (const Node& child : node.named_children()) {
                if (child.kind().ends_with("declarator")) inner = child;
            }
        }
        node = inner;
    }
    return node;
}

/// "Suite.Name" of TEST(Suite, Name).
std::optional<std::string> test_name(const SyntaxTree& tree, const Node& declarator) {
    const std::vector<Node> arguments = declarator.field("parameters").named_children();
    if (std::ranges::find(kTestMacros, tree.text(declarator.field("declarator"))) == kTestMacros.end() ||
        arguments.size() != 2)
        return std::nullopt;
    return std::string(tree.text(arguments[0])) + "." + std::string(tree.text(arguments[1]));
}

std::optional<Function> function_of(const SyntaxTree& tree, const Node& definition) {
    const Node body = definition.field("body");
    const Node declarator = function_declarator(definition.field("declarator"));
    if (!body || !declarator) return std::nullopt; // "= default", or no function that one could name
    const Node name = declarator.field("declarator");
    Function result{.node = definition,
                    .name = std::string(tree.text(name)),
                    .range = definition.range(),
                    .name_at = name.range(),
                    .body = body.range(),
                    .test = false};
    if (auto test = test_name(tree, declarator)) {
        result.name = std::move(*test);
        result.test = true;
    }
    return result;
}

/// Where definitions can be: not in expressions, whose depth is anybody's guess.
bool may_hold_functions(const Node& node) {
    static constexpr std::array<std::string_view, 16> kHolders = {
        "translation_unit", "namespace_definition", "declaration_list",      "class_specifier",
        "struct_specifier", "union_specifier",      "field_declaration",     "field_declaration_list",
        "declaration",      "template_declaration", "linkage_specification", "preproc_if",
        "preproc_ifdef",    "preproc_else",         "preproc_elif",          "ERROR"};
    return std::ranges::find(kHolders, node.kind()) != kHolders.end();
}

} // namespace

std::optional<Function> enclosing_function(const SyntaxTree& tree, std::uint32_t byte) {
    const std::vector<Node> path = tree.path_to(byte);
    for (std::size_t i = path.size(); i-- > 0;) {
        if (!path[i].is("function_definition")) continue;
        if (auto function = function_of(tree, path[i])) return function;
    }
    return std::nullopt;
}

std::vector<Function> functions(const SyntaxTree& tree) {
    std::vector<Function> result;
    std::vector<Node> open{tree.root()};
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        if (node.is("function_definition")) {
            if (auto function = function_of(tree, node)) result.push_back(std::move(*function));
        } else if (may_hold_functions(node)) {
            for (const Node& child : node.named_children()) open.push_back(child);
        }
    }
    std::ranges::sort(result, {}, [](const Function& function) { return function.range.first; });
    return result;
}

} // namespace heddle::source
