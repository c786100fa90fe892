// Whether an expression still names the same object when it is written earlier. Pure.
#pragma once

#include "analysis/source/syntax_tree.h"

namespace heddle::source {

/// None of its names is declared or changed in `over`, where it is to be written at the beginning; nor does
/// it change anything itself, or call what might.
[[nodiscard]] bool means_the_same(const SyntaxTree& tree, ByteRange expression, ByteRange over);

} // namespace heddle::source
