// From the place of an event, as a compiler's debug information has it, to the expression of the source that
// it is about: `acct->balance`, not the line.
//
// What is told is what the text proves: where a compiler's column may mean several expressions, the operation
// and the name of the memory choose; where they cannot, the answer is the whole call or nothing. An
// expression that a macro expands to is its argument, if the name says so, or the macro's call. Pure; making
// one is O(text), asking is O(statement).
#pragma once

#include "analysis/source/place.h"
#include "analysis/source/syntax_tree.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::source {

class PlaceMap {
  public:
    /// The tree must outlive it.
    explicit PlaceMap(const SyntaxTree& tree);

    [[nodiscard]] std::optional<Expression> locate(const Place& place) const;

    /// Lines and columns in bytes, both from 1.
    struct Position {
        std::uint32_t line = 0;
        std::uint32_t column = 0;
    };
    [[nodiscard]] Position position_of(std::uint32_t byte) const;
    /// A line, counted from 1, with its end; nothing when the text has no such.
    [[nodiscard]] std::optional<ByteRange> line_at(std::uint32_t line) const;

    /// The expression as one would name it in a sentence: `acct->mu`. Of what is not exact, or longer than a
    /// name, nothing.
    [[nodiscard]] std::optional<std::string> name_of(const Expression& expression) const;

  private:
    [[nodiscard]] std::optional<std::uint32_t> byte_of(const Place& place) const;
    [[nodiscard]] std::vector<Node> path_to(std::uint32_t byte) const;
    void find_constants();

    const SyntaxTree& tree_;
    std::vector<std::uint32_t> lines_; ///< where they begin
    /// All that stands outside of functions and classes, by place: the way from the root to a place would go
    /// by everything before it.
    struct Top {
        ByteRange range;
        Node node;
    };
    std::vector<Top> tops_;
    std::set<std::string_view> constants_; ///< enumerators that need no name before theirs
};

} // namespace heddle::source
