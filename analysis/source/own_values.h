// Values of a function itself: what is on the heap, or has another name, is none of them, wherever a compiler
// may have moved its access. Pure, O(statements around).
#pragma once

#include "analysis/source/syntax_tree.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace heddle::source {

enum class OwnValue : std::uint8_t {
    no,     ///< a reference, a capture, a name of something else, or not seen
    object, ///< what it does may reach any memory: `text += "!"`
    scalar, ///< a number or a pointer
};

/// What a name is at the end of a path: of a variable or parameter of the function, or lambda, around it.
[[nodiscard]] OwnValue own_value(const SyntaxTree& tree, const std::vector<Node>& path,
                                 std::string_view name);

} // namespace heddle::source
