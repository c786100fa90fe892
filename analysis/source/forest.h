// The trees of a text's pieces, and of the frame that holds them (pieces.h), seen as one tree: what a piece
// is made of stands among the children of what holds it.
//
// A piece is parsed as a text of its own, so that its tree need not be touched when it moves. Small pieces
// are always parsed from their beginning: parsing them is cheap, and what comes of it does not depend on
// earlier texts. Not to be used by several threads at once.
#pragma once

#include "analysis/source/grammar.h"
#include "analysis/source/node.h"
#include "analysis/source/pieces.h"
#include "analysis/source/text_edit.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

struct TSParser;
struct TSTree;

namespace heddle::source {

class Forest {
  public:
    explicit Forest(Language language) : language_(language), finder_(language) {}
    Forest(const Forest& other);
    Forest& operator=(const Forest&) = delete;
    Forest(Forest&&) = delete;
    Forest& operator=(Forest&&) = delete;
    ~Forest() = default;

    /// Which pieces there are; nothing is parsed.
    void divide(std::string_view text);
    /// The same, when `edit` made `text` of `before`: what did not change keeps its tree.
    void divide_again(const TextEdit& edit, std::string before, std::string_view text);
    /// Parses what has no tree of its present text, for as long at the most; zero: all of it.
    void parse(std::string_view text, std::chrono::microseconds most);
    [[nodiscard]] bool current() const { return current_; }
    /// What was of use before: whoever lets go of it frees it, which takes as long as parsing it did.
    using Waste = std::vector<std::shared_ptr<const void>>;
    [[nodiscard]] Waste take_waste() { return std::exchange(waste_, {}); }

    [[nodiscard]] Node root() const;
    [[nodiscard]] ByteRange range(const Node& node) const;
    [[nodiscard]] bool error(const Node& node) const;
    [[nodiscard]] std::vector<Node> children(const Node& node) const;
    /// The nodes below `top` that contain the byte, down to the innermost.
    [[nodiscard]] std::vector<Node> path_to(std::uint32_t byte, const Node& top) const;

  private:
    struct Delete {
        void operator()(TSTree* tree) const;
    };
    using Tree = std::unique_ptr<TSTree, Delete>;
    struct Piece {
        ByteRange range;
        Tree tree{}; ///< of its text, or, if it is not current, of an earlier one, or none
        bool current = false;
        bool wrong = false; ///< the tree has errors

        void take(Tree parsed);
        void give_up(); ///< it stays without a tree: it is too large
    };
    /// Pieces that an edit took away in bulk: what was made a comment will be code again when that is closed.
    struct Aside {
        std::string text;
        std::vector<Piece> pieces;
        std::unordered_multimap<std::uint64_t, std::size_t> by_hash;
    };

    void divide_into(const Pieces& now, std::string_view text);
    void set_aside(std::string before, std::vector<Piece> pieces);
    [[nodiscard]] Tree taken_back(std::string_view piece) const;
    void parse_frame(TSParser& parser);
    /// Where a byte of the frame's text is.
    [[nodiscard]] std::uint32_t place_of(std::uint32_t frame_byte) const;
    void count_errors();
    [[nodiscard]] static Tree copy_of(const Tree& tree);

    [[nodiscard]] bool may_hold_pieces(const Node& node) const;
    /// Those that begin there.
    [[nodiscard]] std::span<const Piece> pieces_in(const ByteRange& range) const;
    [[nodiscard]] std::vector<Node> frame_children(const Node& node) const;
    void add_nodes(const Piece& piece, std::vector<Node>& nodes) const;
    [[nodiscard]] Node root_of(const Piece& piece) const;

    Language language_;
    std::uint32_t size_ = 0;
    bool current_ = false;
    std::vector<Piece> pieces_;
    PieceFinder finder_;
    std::vector<ByteRange> frame_ranges_;
    std::vector<std::uint32_t> frame_bytes_;   ///< where each of them begins in
    std::string frame_text_;                   ///< all of them, one after the other
    Tree frame_;                               ///< of that; null: nothing holds the pieces but the text
    std::vector<std::uint32_t> errors_before_; ///< by piece, and one more: how many of those before have any
    std::shared_ptr<const Aside> aside_;
    Waste waste_;
};

} // namespace heddle::source
