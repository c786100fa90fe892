// Which expression is locked, waited for or started where a compiler points at a call: `acct->mu` of
// `std::lock_guard guard(acct->mu)`, of `acct->mu.lock()` and of `pthread_mutex_lock(&acct->mu)`.
#pragma once

#include "analysis/source/place.h"
#include "analysis/source/syntax_tree.h"

#include <optional>
#include <vector>

namespace heddle::source {

/// `pointed`: the nodes that the place may stand for, the innermost first. `place` is no access.
[[nodiscard]] std::optional<Expression> synchronised(const SyntaxTree& tree, const std::vector<Node>& pointed,
                                                     const Place& place);

/// The lock that a locked expression stands for: `mu` for the guard `lk` of `lk.lock()` or `cv.wait(lk)`, and
/// as a rule itself. Nothing for a local name that may be any lock's: a reference, a pointer, a parameter.
[[nodiscard]] std::optional<ByteRange> lock_behind(const SyntaxTree& tree, ByteRange expression);

} // namespace heddle::source
