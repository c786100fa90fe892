// Whose member an expression accesses, as far as its function shows: "Session" of `session->seen` where
// `session` is declared as a `Session*`, or as a `std::unique_ptr<Session>`. Pure; as cheap as the way from
// the root to the place.
#pragma once

#include "analysis/source/syntax_tree.h"

#include <string_view>

namespace heddle::source {

/// The name of the class, without namespaces; a part of the tree's text. Empty where that cannot be told.
[[nodiscard]] std::string_view owner_of_member(const SyntaxTree& tree, ByteRange expression);

} // namespace heddle::source
