// Whether the object behind a pointer or an index is certain to be there where its lock is to be taken: in
// `return node ? node->count : 0;` it may not be before the question is answered. Pure, O(statement).
#pragma once

#include "analysis/source/syntax_tree.h"

#include <string_view>

namespace heddle::source {

/// `lock`: to be written before the statement: "node->mu", "units[i].mu". True when the statement looks into
/// the object whichever way it takes, and for what needs neither pointer nor index.
[[nodiscard]] bool is_certain_before(const SyntaxTree& tree, const Node& statement, std::string_view lock);

} // namespace heddle::source
