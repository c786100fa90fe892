#include "analysis/source/certain_object.h"

#include "analysis/source/guards.h"
#include "analysis/source/member_path.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace heddle::source {

namespace {

bool is_branch(const Node& node) {
    return node.is("if_statement") || node.is("while_statement") || node.is("for_statement") ||
           node.is("switch_statement") || node.is("conditional_expression") || node.is("for_range_loop");
}

/// The parts of a node that are come to whichever way it takes.
std::vector<Node> certain_parts(const SyntaxTree& tree, const Node& node) {
    if (node.is("lambda_expression") || node.is("case_statement") || node.is("sizeof_expression")) return {};
    if (node.is("binary_expression")) {
        const Node operation = node.field("operator");
        if (operation.is("&&") || operation.is("||")) return {node.field("left")};
    }
    if (node.is("for_range_loop")) return {node.field("right")};
    if (is_branch(node)) {
        const Node initializer = node.field("initializer");
        return initializer ? std::vector<Node>{initializer, node.field("condition")}
                           : std::vector<Node>{node.field("condition")};
    }
    std::vector<Node> parts = node.named_children();
    if (node.is("compound_statement")) {
        const auto leaves = [&](const Node& part) { return has_way_out(tree.text(part)); };
        const auto last = std::ranges::find_if(parts, leaves);
        if (last != parts.end()) parts.erase(std::next(last), parts.end());
    }
    return parts;
}

} // namespace

bool is_certain_before(const SyntaxTree& tree, const Node& statement, std::string_view lock) {
    const std::string_view object = member_path(lock).object;
    if (object.find("->") == std::string_view::npos && object.find_first_of("*[") == std::string_view::npos)
        return true;
    std::vector<Node> open = {statement};
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        if (node.is("field_expression") && tree.text(node).starts_with(object)) return true;
        for (const Node& part : certain_parts(tree, node)) open.push_back(part);
    }
    return false;
}

} // namespace heddle::source
