// A node of a SyntaxTree: what it is, where it is, and what it is made of.
#pragma once

#include "analysis/source/byte_range.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace heddle::source {

class Forest;

/// A node, or none. Valid while its tree lives and is not edited.
class Node {
  public:
    Node() = default;

    [[nodiscard]] bool valid() const { return id_ != nullptr; }
    explicit operator bool() const { return valid(); }
    bool operator==(const Node& other) const { return id_ == other.id_ && tree_ == other.tree_; }

    // All of these answer with nothing for no node.

    /// As the grammar calls it: "call_expression", or the token itself: "+=".
    [[nodiscard]] std::string_view kind() const;
    [[nodiscard]] bool is(std::string_view kind) const { return this->kind() == kind; }
    [[nodiscard]] ByteRange range() const;
    [[nodiscard]] bool named() const; ///< not a mere token
    [[nodiscard]] bool error() const; ///< it, or something in it, is not of the language
    [[nodiscard]] Node field(std::string_view name) const;
    [[nodiscard]] std::vector<Node> children() const;
    [[nodiscard]] std::vector<Node> named_children() const;
    /// The nodes in it that contain the byte, down to the innermost.
    [[nodiscard]] std::vector<Node> path_to(std::uint32_t byte) const;
    /// Looked for from the root: of no use in loops.
    [[nodiscard]] Node parent() const;

  private:
    friend struct NodeAccess;
    // What tree-sitter's TSNode is, so that users need not see tree-sitter. Of the root: the forest, no tree.
    std::array<std::uint32_t, 4> context_{};
    const void* id_ = nullptr;
    const void* tree_ = nullptr;
    const Forest* forest_ = nullptr; ///< it is a part of
};

} // namespace heddle::source
