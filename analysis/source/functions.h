// The functions of a source text. Pure, and as cheap as the way from the root to the place.
#pragma once

#include "analysis/source/syntax_tree.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::source {

struct Function {
    Node node;         ///< its definition
    std::string name;  ///< as written: "audit", "Account::deposit", "operator+="; of a test "Suite.Name"
    ByteRange range;   ///< all of it, without a template's head
    ByteRange name_at; ///< where the name is
    ByteRange body;    ///< with its braces
    bool test = false; ///< a case of GoogleTest
};

/// The innermost function that is defined around the byte; lambdas belong to the function they are in.
[[nodiscard]] std::optional<Function> enclosing_function(const SyntaxTree& tree, std::uint32_t byte);

/// All that are defined, by place. O(text).
[[nodiscard]] std::vector<Function> functions(const SyntaxTree& tree);

} // namespace heddle::source
