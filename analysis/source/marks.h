// Functions and blocks that a source text marks as atomic: `// heddle: atomic` on a line before a function or
// a statement, or behind the brace that opens a block; `[[heddle::atomic]]` or
// `__attribute__((annotate("heddle::atomic")))` at a function's definition, `[[heddle::atomic]]` at a block.
//
// Pure; O(text).
#pragma once

#include "analysis/source/intents.h"
#include "analysis/source/syntax_tree.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::source {

struct MarkedPiece {
    Region whole;
    /// Its statements, by place. What is in a loop is one.
    struct Statement {
        LineColumn first;
        bool in_loop = false;
        bool apart = false; ///< of a lambda, which runs at another time: no part of the piece
    };
    std::vector<Statement> statements;

    /// Where in the piece a place is: the number of its statement. Nothing outside.
    [[nodiscard]] std::optional<std::uint32_t> statement_at(const LineColumn& place) const;
};

/// By place.
[[nodiscard]] std::vector<MarkedPiece> marked_pieces(const SyntaxTree& tree);

} // namespace heddle::source
