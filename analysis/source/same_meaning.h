// Whether an expression still names the same object when it is written earlier. Pure.
#pragma once

#include "analysis/source/syntax_tree.h"

#include <string_view>

namespace heddle::source {

/// None of its names is declared or changed in `over`, where it is to be written at the beginning; nor does
/// it change anything itself, or call what might.
[[nodiscard]] bool means_the_same(const SyntaxTree& tree, ByteRange expression, ByteRange over);

/// Whether a variable of the name is assigned to in a range, or, if that counts, its address taken there.
[[nodiscard]] bool is_changed(const SyntaxTree& tree, ByteRange range, std::string_view name,
                              bool by_address);

} // namespace heddle::source
