// What a compiler may mean by a column. GCC and Clang point at an expression by its first token, its operator
// (`=`, `->`, `[`), the member's name, or a parenthesis of the call; which of them differs by compiler,
// language and expression.
#pragma once

#include "analysis/source/syntax_tree.h"

#include <cstdint>
#include <vector>

namespace heddle::source {

/// The nodes of a path (from an outer to the innermost node, SyntaxTree::path_to) that a column at its end
/// may stand for, the innermost first. Nothing beyond the statement.
[[nodiscard]] std::vector<Node> pointed_at(const std::vector<Node>& path);

} // namespace heddle::source
