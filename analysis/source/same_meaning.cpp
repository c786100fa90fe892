#include "analysis/source/same_meaning.h"

#include "analysis/source/member_path.h"
#include "analysis/source/variable_declarations.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace heddle::source {

namespace {

/// What a node changes, or lets others change by its address.
Node changed_by(const SyntaxTree& tree, const Node& node, bool by_address) {
    if (node.is("assignment_expression")) return node.field("left");
    if (node.is("update_expression")) return node.field("argument");
    if (by_address && node.is("pointer_expression") && tree.text(node).starts_with('&'))
        return node.field("argument");
    return {};
}

} // namespace

bool is_changed(const SyntaxTree& tree, ByteRange range, std::string_view name, bool by_address) {
    std::vector<Node> open = {tree.root()};
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        if (node.range().end <= range.first || node.range().first >= range.end) continue;
        const Node target = changed_by(tree, node, by_address);
        if (target && range.contains(target.range()) && tree.text(target) == name) return true;
        for (const Node& child : node.named_children()) open.push_back(child);
    }
    return false;
}

bool means_the_same(const SyntaxTree& tree, ByteRange expression, ByteRange over) {
    const std::string_view text = tree.text(expression);
    // A call may give another object each time.
    if (text.find('(') != std::string_view::npos || text.find("++") != std::string_view::npos ||
        text.find("--") != std::string_view::npos || text.find('=') != std::string_view::npos)
        return false;
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view name = first_name(text.substr(at));
        at += std::max<std::size_t>(name.size(), 1);
        if (name.empty()) continue;
        const Node local = local_declaration(tree, tree.path_to(expression.first), name);
        if (local && local.range().first >= over.first) return false;
        // An object stays where it is, whatever is done to it.
        const bool object = at >= text.size() || text[at] == '.';
        if (is_changed(tree, over, name, !object)) return false;
    }
    return true;
}

} // namespace heddle::source
