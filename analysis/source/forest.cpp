#include "analysis/source/forest.h"

#include "analysis/source/tree_sitter_node.h"
#include "traces/hash.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace heddle::source {

namespace {

/// Larger pieces are parsed with what is known of the text before; this much takes two milliseconds or so.
constexpr std::uint32_t kSmallPiece = 8U * 1024;
/// Fewer bytes that vanish are not worth keeping.
constexpr std::uint32_t kBulk = 16U * 1024;

/// tree-sitter 0.20 counts a node's children in 16 bits and, where an error has more, writes beyond its
/// memory.
constexpr std::uint32_t kMostTokens = 60'000;

/// Words, numbers and other characters: never fewer than the language would see.
bool has_too_many_tokens(std::string_view text) {
    if (text.size() <= kMostTokens) return false;
    std::uint32_t tokens = 0;
    bool in_word = false;
    for (const char letter : text) {
        const auto code = static_cast<unsigned char>(letter);
        const bool word = std::isalnum(code) != 0 || letter == '_' || code >= 0x80;
        const bool blank = letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r';
        if (!blank && !(word && in_word)) ++tokens;
        in_word = word;
    }
    return tokens > kMostTokens;
}

using Clock = std::chrono::steady_clock;
constexpr Clock::time_point kNever = Clock::time_point::max();

struct DeleteParser {
    void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};

std::string_view part(std::string_view text, const ByteRange& range) {
    return text.substr(range.first, range.size());
}

TSPoint end_of(std::string_view text) {
    const std::size_t newline = text.rfind('\n');
    const std::size_t line = newline == std::string_view::npos ? 0 : newline + 1;
    return {static_cast<std::uint32_t>(std::ranges::count(text, '\n')),
            static_cast<std::uint32_t>(text.size() - line)};
}

TSTree* parsed(TSParser& parser, const TSTree* before, std::string_view text) {
    return ts_parser_parse_string(&parser, before, text.data(), static_cast<std::uint32_t>(text.size()));
}

/// Null: it takes longer. It goes on where the time only seemed to be over: tree-sitter takes it to be
/// when a second of the clock ends.
TSTree* parsed_until(Clock::time_point end, TSParser& parser, const TSTree* before, std::string_view text) {
    if (end == kNever) return parsed(parser, before, text);
    TSTree* tree = nullptr;
    for (Clock::duration left = end - Clock::now(); tree == nullptr && left.count() > 0;
         left = end - Clock::now()) {
        const auto most = std::chrono::ceil<std::chrono::microseconds>(left);
        ts_parser_set_timeout_micros(&parser, static_cast<std::uint64_t>(most.count()));
        tree = parsed(parser, before, text);
    }
    if (tree == nullptr) ts_parser_reset(&parser);
    return tree;
}

/// Tells the tree of a piece that `edit`, which is within it, made `now` of its text `before`.
void tell(TSTree& tree, const TextEdit& edit, const ByteRange& piece, std::string_view before,
          std::string_view now) {
    const TextEdit within{edit.start - piece.first, edit.old_end - piece.first, edit.new_end - piece.first};
    const TSInputEdit change{.start_byte = within.start,
                             .old_end_byte = within.old_end,
                             .new_end_byte = within.new_end,
                             .start_point = end_of(now.substr(0, within.start)),
                             .old_end_point = end_of(before.substr(0, within.old_end)),
                             .new_end_point = end_of(now.substr(0, within.new_end))};
    ts_tree_edit(&tree, &change);
}

} // namespace

void Forest::Delete::operator()(TSTree* tree) const {
    ts_tree_delete(tree);
}

Forest::Tree Forest::copy_of(const Tree& tree) {
    return Tree(tree ? ts_tree_copy(tree.get()) : nullptr);
}

Forest::Forest(const Forest& other)
    : language_(other.language_), size_(other.size_), current_(other.current_), finder_(other.finder_),
      frame_ranges_(other.frame_ranges_), frame_bytes_(other.frame_bytes_), frame_text_(other.frame_text_),
      frame_(copy_of(other.frame_)), errors_before_(other.errors_before_), aside_(other.aside_) {
    pieces_.reserve(other.pieces_.size());
    for (const Piece& piece : other.pieces_)
        pieces_.push_back({piece.range, copy_of(piece.tree), piece.current, piece.wrong});
}

// Dividing and parsing.

void Forest::divide(std::string_view text) {
    divide_into(finder_.split(text), text);
    count_errors();
}

void Forest::divide_into(const Pieces& now, std::string_view text) {
    size_ = static_cast<std::uint32_t>(text.size());
    pieces_.clear();
    for (const ByteRange& range : now.pieces) pieces_.push_back({.range = range});
    current_ = false;
    frame_ranges_ = now.frame;
    frame_bytes_.clear();
    std::string frame_text;
    for (const ByteRange& range : frame_ranges_) {
        frame_bytes_.push_back(static_cast<std::uint32_t>(frame_text.size()));
        frame_text += part(text, range);
    }
    if (frame_text == frame_text_) return;
    frame_text_ = std::move(frame_text);
    frame_.reset();
}

void Forest::divide_again(const TextEdit& edit, std::string before, std::string_view text) {
    std::vector<Piece> old = std::exchange(pieces_, {});
    divide_into(finder_.split_again(text, edit), text);
    auto known = old.begin();
    for (Piece& piece : pieces_) {
        const ByteRange& range = piece.range;
        const bool behind = range.first >= edit.new_end;
        const std::uint32_t first = behind ? range.first - edit.new_end + edit.old_end : range.first;
        while (known != old.end() && known->range.first < first) ++known;
        if (known == old.end() || known->range.first != first) continue;
        const bool untouched = behind || range.end <= edit.start;
        if (untouched && known->range.size() == range.size()) {
            piece.tree = std::move(known->tree);
            piece.current = known->current;
            piece.wrong = known->wrong;
        } else if (known->tree && range.first <= edit.start && range.end >= edit.new_end &&
                   known->range.end >= edit.old_end &&
                   std::min(range.size(), known->range.size()) > kSmallPiece) {
            piece.tree = std::move(known->tree);
            piece.wrong = known->wrong;
            tell(*piece.tree, edit, range, part(before, known->range), part(text, range));
        }
    }
    // What comes back first: it may be what went when the last ones came.
    for (Piece& piece : pieces_) {
        if (!piece.current) piece.take(taken_back(part(text, piece.range)));
    }
    set_aside(std::move(before), std::move(old));
    count_errors();
}

void Forest::Piece::take(Tree parsed) {
    if (!parsed) return;
    tree = std::move(parsed);
    current = true;
    wrong = ts_node_has_error(ts_tree_root_node(tree.get()));
}

void Forest::Piece::give_up() {
    tree.reset();
    current = wrong = true;
}

void Forest::set_aside(std::string before, std::vector<Piece> pieces) {
    std::erase_if(pieces, [](const Piece& piece) { return !piece.tree; });
    std::uint32_t bytes = 0;
    for (const Piece& piece : pieces) bytes += piece.range.size();
    if (bytes < kBulk) return;
    auto aside = std::make_shared<Aside>();
    aside->text = std::move(before);
    aside->pieces = std::move(pieces);
    for (std::size_t i = 0; i < aside->pieces.size(); ++i) {
        const Piece& piece = aside->pieces[i];
        if (piece.current) aside->by_hash.emplace(hash_of(part(aside->text, piece.range)), i);
    }
    if (aside_) waste_.push_back(std::move(aside_));
    aside_ = std::move(aside);
}

Forest::Tree Forest::taken_back(std::string_view piece) const {
    if (!aside_) return nullptr;
    const auto [first, last] = aside_->by_hash.equal_range(hash_of(piece));
    for (auto at = first; at != last; ++at) {
        const Piece& one = aside_->pieces[at->second];
        if (part(aside_->text, one.range) == piece) return copy_of(one.tree);
    }
    return nullptr;
}

void Forest::parse(std::string_view text, std::chrono::microseconds most) {
    if (current_) return;
    const std::unique_ptr<TSParser, DeleteParser> parser(ts_parser_new());
    ts_parser_set_language(parser.get(), grammar(language_));
    if (!frame_text_.empty() && !frame_) parse_frame(*parser);
    const Clock::time_point end = most.count() > 0 ? Clock::now() + most : kNever;
    for (Piece& piece : pieces_) {
        if (piece.current) continue;
        if (has_too_many_tokens(part(text, piece.range))) {
            piece.give_up();
            continue;
        }
        Tree tree(parsed_until(end, *parser, piece.tree.get(), part(text, piece.range)));
        if (tree && piece.tree) waste_.emplace_back(std::move(piece.tree));
        piece.take(std::move(tree));
    }
    current_ = std::ranges::all_of(pieces_, &Piece::current);
    count_errors();
}

/// Of a few words for each namespace or conditional: as if there were nothing between them.
void Forest::parse_frame(TSParser& parser) {
    if (!has_too_many_tokens(frame_text_)) frame_.reset(parsed(parser, nullptr, frame_text_));
}

std::uint32_t Forest::place_of(std::uint32_t frame_byte) const {
    const auto after = std::ranges::upper_bound(frame_bytes_, frame_byte);
    const auto at = static_cast<std::size_t>(after - frame_bytes_.begin()) - 1;
    return frame_ranges_[at].first + frame_byte - frame_bytes_[at];
}

void Forest::count_errors() {
    errors_before_.assign(1, 0);
    errors_before_.reserve(pieces_.size() + 1);
    for (const Piece& piece : pieces_)
        errors_before_.push_back(errors_before_.back() + (piece.wrong ? 1 : 0));
}

// As one tree.

Node Forest::root() const {
    return NodeAccess::root(*this);
}

/// It is the root, or of the frame.
bool Forest::may_hold_pieces(const Node& node) const {
    return NodeAccess::is_root(node) || (frame_ && NodeAccess::get(node).tree == frame_.get());
}

std::span<const Forest::Piece> Forest::pieces_in(const ByteRange& range) const {
    const auto begin = [](const Piece& piece) { return piece.range.first; };
    const auto first = std::ranges::lower_bound(pieces_, range.first, {}, begin);
    return {first, std::ranges::lower_bound(first, pieces_.end(), range.end, {}, begin)};
}

/// A branch goes on to where the next one or the `#endif` begins: the frame knows only its first line.
ByteRange Forest::range(const Node& node) const {
    if (NodeAccess::is_root(node)) return {0, size_};
    const TSNode own = NodeAccess::get(node);
    ByteRange result{ts_node_start_byte(own), ts_node_end_byte(own)};
    if (!may_hold_pieces(node)) return result;
    // What is between two parts of the frame is within the node whose last byte is in the second.
    const bool empty = result.size() == 0;
    result.first = place_of(result.first);
    result.end = empty ? result.first : place_of(result.end - 1) + 1;
    if (!node.kind().starts_with("preproc_el")) return result;
    TSNode next = own; // which may be that of the `#elif` whose `#else` this is
    do {
        const TSNode around = ts_node_parent(next);
        next = ts_node_next_sibling(next);
        if (ts_node_is_null(next)) next = around;
    } while (!ts_node_is_null(next) && (std::string_view(ts_node_type(next)) == "comment" ||
                                        ts_node_start_byte(next) < ts_node_end_byte(own)));
    const std::uint32_t most = ts_node_is_null(next) ? size_ : place_of(ts_node_start_byte(next));
    std::vector<Node> last;
    if (const auto held = pieces_in({result.end, most}); !held.empty()) add_nodes(held.back(), last);
    if (!last.empty()) result.end = last.back().range().end;
    return result;
}

bool Forest::error(const Node& node) const {
    if (!NodeAccess::is_root(node) && ts_node_has_error(NodeAccess::get(node))) return true;
    if (!may_hold_pieces(node)) return false;
    if (NodeAccess::is_root(node) &&
        (frame_ ? ts_node_has_error(ts_tree_root_node(frame_.get())) : current_ && !frame_text_.empty()))
        return true;
    const std::span<const Piece> held = pieces_in(node.range());
    if (held.empty()) return false;
    const auto first = static_cast<std::size_t>(held.data() - pieces_.data());
    return errors_before_[first + held.size()] > errors_before_[first];
}

Node Forest::root_of(const Piece& piece) const {
    TSNode root = ts_tree_root_node(piece.tree.get());
    root.context[0] += piece.range.first;
    return NodeAccess::make(root, this);
}

/// A tree whose root is an error is one node, other trees are what their roots are made of.
void Forest::add_nodes(const Piece& piece, std::vector<Node>& nodes) const {
    if (!piece.tree) return;
    const Node root = root_of(piece);
    if (root.is("ERROR")) {
        nodes.push_back(root);
    } else {
        for (Children child(root); child.there(); child.next()) nodes.push_back(child.get());
    }
}

std::vector<Node> Forest::frame_children(const Node& node) const {
    std::vector<Node> result;
    if (NodeAccess::is_root(node) && !frame_) return result;
    const Node top =
        NodeAccess::is_root(node) ? NodeAccess::make(ts_tree_root_node(frame_.get()), this) : node;
    for (Children child(top); child.there(); child.next()) result.push_back(child.get());
    return result;
}

std::vector<Node> Forest::children(const Node& node) const {
    std::vector<Node> own = frame_children(node);
    if (!may_hold_pieces(node)) return own;
    std::vector<Node> result;
    std::uint32_t from = node.range().first;
    const auto add_pieces = [&](std::uint32_t end) {
        for (const Piece& piece : pieces_in({from, end})) add_nodes(piece, result);
    };
    for (const Node& child : own) {
        add_pieces(child.range().first);
        from = std::max(from, child.range().end);
        result.push_back(child);
    }
    add_pieces(node.range().end);
    return result;
}

std::vector<Node> Forest::path_to(std::uint32_t byte, const Node& top) const {
    std::vector<Node> path;
    Node at = top;
    if (!top.range().contains(byte)) return path;
    while (may_hold_pieces(at)) {
        const std::vector<Node> own = frame_children(at);
        const auto child =
            std::ranges::find_if(own, [&](const Node& one) { return one.range().contains(byte); });
        if (child == own.end()) {
            const std::span<const Piece> before = pieces_in({at.range().first, byte + 1});
            if (before.empty() || !before.back().tree || !before.back().range.contains(byte)) return path;
            at = root_of(before.back());
            if (at.is("ERROR")) path.push_back(at);
            break;
        }
        at = *child;
        path.push_back(at);
    }
    for (Children child(at); child.there();) {
        const Node node = child.get();
        if (node.range().end <= byte) {
            child.next();
        } else if (node.range().first > byte) {
            break; // between two children
        } else {
            path.push_back(node);
            child.descend();
        }
    }
    return path;
}

} // namespace heddle::source
