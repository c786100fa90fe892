// Where a text declares what debug information names: `total`, or the member `balance` of the variable
// `account`.
#pragma once

#include "analysis/source/syntax_tree.h"

#include <optional>
#include <string_view>

namespace heddle::source {

/// The declared name of a global variable, or of a member of one whose type the same text defines. Nothing
/// where the text does not show it. O(text).
[[nodiscard]] std::optional<ByteRange> declaration_of(const SyntaxTree& tree, std::string_view name);

} // namespace heddle::source
