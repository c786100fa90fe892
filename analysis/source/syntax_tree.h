// A source text and its syntax, as tree-sitter sees it: always a tree, whatever the text, with error nodes
// where it is not of the language.
//
// A SyntaxTree is a value; copies share memory. One thread at a time may use one object and the nodes that
// came from it, each thread may have its own copy. Nodes are valid while the object lives and is not edited.
// Parsing is linear in the text; after an edit in the size of what changed (and one pass over line ends).
#pragma once

#include "analysis/source/grammar.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct TSTree;

namespace heddle::source {

/// Bytes of a text, the end excluded.
struct ByteRange {
    std::uint32_t first = 0;
    std::uint32_t end = 0;

    [[nodiscard]] bool contains(std::uint32_t byte) const { return first <= byte && byte < end; }
    [[nodiscard]] bool contains(const ByteRange& other) const {
        return first <= other.first && other.end <= end;
    }
    bool operator==(const ByteRange&) const = default;
};

/// The text between `start` and `old_end` became what is now between `start` and `new_end`.
struct TextEdit {
    std::uint32_t start = 0;
    std::uint32_t old_end = 0;
    std::uint32_t new_end = 0;
};

/// Both edits as one, the second made after the first.
[[nodiscard]] constexpr TextEdit combined(const TextEdit& first, const TextEdit& second) {
    const std::uint32_t beyond = second.old_end > first.new_end ? second.old_end - first.new_end : 0;
    const std::uint32_t end = first.new_end > second.old_end ? first.new_end : second.old_end;
    return {first.start < second.start ? first.start : second.start, first.old_end + beyond,
            end - second.old_end + second.new_end};
}

/// A node of a tree, or none.
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
    /// Looked for from the root: of no use in loops.
    [[nodiscard]] Node parent() const;

  private:
    friend class SyntaxTree;
    friend struct NodeAccess;
    // What TSNode is, so that users need not see tree-sitter.
    std::array<std::uint32_t, 4> context_{};
    const void* id_ = nullptr;
    const void* tree_ = nullptr;
};

class SyntaxTree {
  public:
    [[nodiscard]] static SyntaxTree parse(std::string text, Language language);
    SyntaxTree(const SyntaxTree& other);
    SyntaxTree& operator=(const SyntaxTree& other);
    SyntaxTree(SyntaxTree&&) noexcept = default;
    SyntaxTree& operator=(SyntaxTree&&) noexcept = default;
    ~SyntaxTree() = default;

    /// `text` is what `edit` made of the text before. The tree is the one that parsing it anew would give;
    /// where the text is not of the language, what counts as the error may rarely be another part of it.
    void edit(const TextEdit& edit, std::string text);
    /// The same, if it takes no longer than that: otherwise false, and until catch_up() the tree is the one
    /// of before, its nodes moved to where their text is now.
    [[nodiscard]] bool edit_within(const TextEdit& edit, std::string text, std::chrono::microseconds most);
    void catch_up();
    [[nodiscard]] bool current() const { return current_; }

    [[nodiscard]] Language language() const { return language_; }
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] std::string_view text(ByteRange range) const;
    [[nodiscard]] std::string_view text(const Node& node) const { return text(node.range()); }

    [[nodiscard]] Node root() const;
    /// The nodes that contain the byte, from the root to the innermost, which may be a token.
    [[nodiscard]] std::vector<Node> path_to(std::uint32_t byte) const;
    /// The part of that path below `top`; empty when that is not there.
    [[nodiscard]] static std::vector<Node> path_to(std::uint32_t byte, const Node& top);

  private:
    struct Delete {
        void operator()(TSTree* tree) const;
    };

    SyntaxTree(std::string text, Language language);
    void move_nodes(const TextEdit& edit, std::string text);
    /// False: not in that time, of which zero means any.
    bool reparse(std::chrono::microseconds most);

    std::string text_;
    Language language_;
    std::unique_ptr<TSTree, Delete> tree_; ///< null before the first parse
    bool current_ = true;
};

} // namespace heddle::source
