// Operations on atomic variables, as calls: `n.store(1)`, `atomic_fetch_add(&n, 1)`, `__atomic_store_n(&n,
// …)`.
#pragma once

#include "analysis/source/syntax_tree.h"

#include <cstdint>
#include <vector>

namespace heddle::source {

struct AtomicCall {
    Node target;              ///< what it writes; none when the call is not such an operation
    std::vector<Node> values; ///< the other arguments
    bool checks = false;      ///< it compares before it writes
};

/// Of calls that write.
[[nodiscard]] AtomicCall atomic_write(const SyntaxTree& tree, const Node& call);

} // namespace heddle::source
