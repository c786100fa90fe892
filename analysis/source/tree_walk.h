// Every node of a syntax tree together with the way to it from the root: parents are known without being
// looked for.
#pragma once

#include "analysis/source/syntax_tree.h"

#include <cstddef>
#include <vector>

namespace heddle::source {

/// Calls `visit(path)` for every named node, outer ones first, until it answers false; whether it never did.
template<typename Visit>
bool for_each_path(const SyntaxTree& tree, Visit visit) {
    struct Open {
        Node node;
        std::size_t depth;
    };
    std::vector<Open> open = {{tree.root(), 0}};
    std::vector<Node> path;
    while (!open.empty()) {
        const Open next = open.back();
        open.pop_back();
        path.resize(next.depth);
        path.push_back(next.node);
        if (!visit(path)) return false;
        for (const Node& child : next.node.named_children()) open.push_back({child, next.depth + 1});
    }
    return true;
}

} // namespace heddle::source
