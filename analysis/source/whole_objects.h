// Whether objects of a type are only ever used member by member: never copied, assigned, passed by value,
// kept in containers, or filled as bytes. Then a member may become one that cannot be copied. Pure, O(texts).
#pragma once

#include "analysis/source/syntax_tree.h"

#include <span>
#include <string>
#include <vector>

namespace heddle::source {

/// `type`: the definition of a class or struct, of the tree `defined_in`; `trees`: every text that may use
/// it. In C++ no object may be given values in braces either. False when it is not sure.
[[nodiscard]] bool is_used_by_parts(std::span<const SyntaxTree* const> trees, const SyntaxTree& defined_in,
                                    const Node& type, Language language);

/// What the type is called in these texts, by itself and by aliases.
[[nodiscard]] std::vector<std::string> names_of_type(std::span<const SyntaxTree* const> trees,
                                                     const SyntaxTree& defined_in, const Node& type,
                                                     Language language);

} // namespace heddle::source
