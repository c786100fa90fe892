// What a source text says belongs together, without anybody having said so: a read of memory and a write of
// it that depends on what was read. Updates (`x += y`, `x++`, `x = x + 1`), acts on a condition that looks at
// what they change (`if (!p) p = …`; `if (n == 0) return; n--;`; loops, switches, `?:`, `&&`), and values
// that go through a local variable (`old = x; … x = old + 1`, or `if (old > 0) x = …`).
//
// Syntax alone: two expressions are of the same memory when they are written the same way; whether they were
// is for a run to show. An act on a condition belongs to the innermost one that looks at the same: who checks
// again under a lock means the second check. What checks and acts at once (compare_exchange, and any update
// within a condition) needs no earlier check. Macros are calls of which nothing is known; where the text is
// not of the language, nothing is told.
//
// Pure; O(text × depth of conditions).
#pragma once

#include "analysis/source/syntax_tree.h"
#include "analysis/source_blocks.h"

#include <compare>
#include <cstdint>
#include <vector>

namespace heddle::source {

/// A place in a text, both from 1, the column in bytes.
struct LineColumn {
    std::uint32_t line = 0;
    std::uint32_t column = 0;

    // NOLINTNEXTLINE(modernize-use-nullptr): as in traces/id.h
    auto operator<=>(const LineColumn&) const = default;
};

struct Region {
    LineColumn first;
    LineColumn end; ///< excluded

    [[nodiscard]] bool contains(const LineColumn& place) const { return first <= place && place < end; }
    bool operator==(const Region&) const = default;
};

struct InferredPiece {
    Region reads;
    Region writes;
    Inference inference = Inference::update;

    bool operator==(const InferredPiece&) const = default;
};

/// By place of the write.
[[nodiscard]] std::vector<InferredPiece> inferred_pieces(const SyntaxTree& tree);

/// Lines and columns of a text's bytes.
class LineColumns {
  public:
    explicit LineColumns(const std::string& text);
    [[nodiscard]] LineColumn at(std::uint32_t byte) const;
    [[nodiscard]] Region of(ByteRange range) const { return {at(range.first), at(range.end)}; }

  private:
    std::vector<std::uint32_t> lines_; ///< where they begin
};

} // namespace heddle::source
