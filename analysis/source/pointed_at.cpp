#include "analysis/source/pointed_at.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace heddle::source {

namespace {

bool ends_statement(const Node& node) {
    return node.is("compound_statement") || node.is("function_definition") || node.is("translation_unit") ||
           node.is("field_declaration_list") || node.is("declaration_list");
}

/// A constant, as a rule.
bool is_simple(const Node& node) {
    return node.kind().ends_with("_literal") || node.is("true") || node.is("false") || node.is("null") ||
           node.is("identifier") || node.is("qualified_identifier");
}

/// Whoever points at this part of `whole` may mean the whole.
bool stands_for(const Node& part, const Node& whole) {
    if (!part.named()) return true; // an operator, a keyword, a bracket
    static constexpr std::array<std::string_view, 7> kParts = {
        "argument_list",    "subscript_argument_list", "initializer_list", "condition_clause",
        "field_identifier", "field_designator",        "parameter_list"};
    if (std::ranges::find(kParts, part.kind()) != kParts.end()) return true;
    if (whole.is("call_expression")) return part == whole.field("function");
    // What a call returned is changed: `at(i)++`, `at(i) += 2`.
    if (part.is("call_expression") && (whole.is("update_expression") || whole.is("assignment_expression")))
        return part != whole.field("right");
    // GCC, at `mode == 0`, for the conversion of an atomic variable.
    if (whole.is("binary_expression")) return part == whole.field("right") && is_simple(part);
    if (whole.is("subscript_expression")) return part == whole.field("argument");
    if (whole.is("qualified_identifier") || whole.is("template_function")) return true;
    if (whole.is("parenthesized_expression") || whole.kind().ends_with("declarator")) return true;
    return whole.is("declaration") || whole.is("for_range_loop") ? part == whole.field("declarator") : false;
}

} // namespace

std::vector<Node> pointed_at(const std::vector<Node>& path) {
    std::vector<Node> result;
    if (path.empty() || ends_statement(path.back())) return result;
    const std::uint32_t byte = path.back().range().first;
    for (std::size_t i = path.size(); i-- > 0;) {
        const Node& node = path[i];
        if (ends_statement(node)) break;
        const bool pointed = result.empty() || node.range().first == byte || stands_for(result.back(), node);
        if (!pointed) break;
        result.push_back(node);
    }
    return result;
}

} // namespace heddle::source
