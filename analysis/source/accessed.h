// Which of the expressions that a compiler may have pointed at is the one that was read or written.
#pragma once

#include "analysis/source/place.h"
#include "analysis/source/syntax_tree.h"

#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace heddle::source {

/// `path`: from an outer node to the innermost one at the place; `pointed`: those of it that the place may
/// stand for, the innermost first. `constants`: names of enumerators. `place` is an access.
[[nodiscard]] std::optional<Expression> accessed(const SyntaxTree& tree, const std::vector<Node>& path,
                                                 const std::vector<Node>& pointed,
                                                 const std::set<std::string_view>& constants,
                                                 const Place& place);

} // namespace heddle::source
