// A source text and its syntax, as tree-sitter sees it: always a tree, whatever the text, with error nodes
// where it is not of the language.
//
// A SyntaxTree is a value; copies share memory. One thread at a time may use one object and the nodes that
// came from it, each thread may have its own copy. Nodes are valid while the object lives and is not edited.
// Parsing is linear in the text; after an edit in the size of the pieces (pieces.h) that changed, and one or
// two passes over the text to tell which. What is not of the language ends with its piece.
#pragma once

#include "analysis/source/byte_range.h"
#include "analysis/source/grammar.h"
#include "analysis/source/node.h"
#include "analysis/source/text_edit.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::source {

class SyntaxTree {
  public:
    [[nodiscard]] static SyntaxTree parse(std::string text, Language language);
    SyntaxTree(const SyntaxTree& other);
    SyntaxTree& operator=(const SyntaxTree& other);
    SyntaxTree(SyntaxTree&&) noexcept;
    SyntaxTree& operator=(SyntaxTree&&) noexcept;
    ~SyntaxTree();

    /// `text` is what `edit` made of the text before. The tree is the one that parsing it anew would give; in
    /// large pieces that are not of the language, what counts as the error may rarely be another part of it.
    void edit(const TextEdit& edit, std::string text);
    /// The same, if it takes no longer than that: otherwise false, and until catch_up() the pieces that are
    /// left have the nodes of before, or none.
    [[nodiscard]] bool edit_within(const TextEdit& edit, std::string text, std::chrono::microseconds most);
    void catch_up();
    [[nodiscard]] bool current() const;
    /// What edit_within() left behind: whoever lets go of it frees it, which may take longer than the edit.
    using Waste = std::vector<std::shared_ptr<const void>>;
    [[nodiscard]] Waste take_waste();

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
    SyntaxTree(std::string text, Language language);
    void replace(const TextEdit& edit, std::string text);

    std::string text_;
    Language language_;
    std::unique_ptr<Forest> forest_;
};

} // namespace heddle::source
