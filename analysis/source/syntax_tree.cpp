#include "analysis/source/syntax_tree.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <tree_sitter/api.h>

namespace heddle::source {

static_assert(sizeof(Node) == sizeof(TSNode));

struct NodeAccess {
    static TSNode get(const Node& node) { return std::bit_cast<TSNode>(node); }
    static Node make(const TSNode& node) { return std::bit_cast<Node>(node); }
};

namespace {

TSNode ts(const Node& node) {
    return NodeAccess::get(node);
}

struct DeleteParser {
    void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};

/// Walks the children of a node in one pass: asking for them by number would be quadratic.
class Children {
  public:
    explicit Children(const Node& node) : cursor_(ts_tree_cursor_new(ts(node))) {
        there_ = ts_tree_cursor_goto_first_child(&cursor_);
    }
    ~Children() { ts_tree_cursor_delete(&cursor_); }
    Children(const Children&) = delete;
    Children& operator=(const Children&) = delete;
    Children(Children&&) = delete;
    Children& operator=(Children&&) = delete;

    [[nodiscard]] bool there() const { return there_; }
    [[nodiscard]] Node get() const { return NodeAccess::make(ts_tree_cursor_current_node(&cursor_)); }
    void next() { there_ = ts_tree_cursor_goto_next_sibling(&cursor_); }
    /// Goes on with the children of the current child.
    void descend() { there_ = ts_tree_cursor_goto_first_child(&cursor_); }

  private:
    TSTreeCursor cursor_;
    bool there_ = false;
};

TSPoint point_at(std::string_view text, std::uint32_t byte) {
    const std::string_view before = text.substr(0, byte);
    const std::size_t line = before.rfind('\n');
    const std::size_t begin = line == std::string_view::npos ? 0 : line + 1;
    return {static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n')),
            static_cast<std::uint32_t>(before.size() - begin)};
}

} // namespace

std::string_view Node::kind() const {
    return valid() ? std::string_view(ts_node_type(ts(*this))) : std::string_view();
}

ByteRange Node::range() const {
    if (!valid()) return {};
    return {ts_node_start_byte(ts(*this)), ts_node_end_byte(ts(*this))};
}

bool Node::named() const {
    return valid() && ts_node_is_named(ts(*this));
}

bool Node::error() const {
    return valid() && ts_node_has_error(ts(*this));
}

Node Node::field(std::string_view name) const {
    if (!valid()) return {};
    return NodeAccess::make(
        ts_node_child_by_field_name(ts(*this), name.data(), static_cast<std::uint32_t>(name.size())));
}

std::vector<Node> Node::children() const {
    std::vector<Node> result;
    if (!valid()) return result;
    for (Children child(*this); child.there(); child.next()) result.push_back(child.get());
    return result;
}

std::vector<Node> Node::named_children() const {
    std::vector<Node> result = children();
    std::erase_if(result, [](const Node& node) { return !node.named(); });
    return result;
}

Node Node::parent() const {
    return valid() ? NodeAccess::make(ts_node_parent(ts(*this))) : Node();
}

void SyntaxTree::Delete::operator()(TSTree* tree) const {
    ts_tree_delete(tree);
}

SyntaxTree::SyntaxTree(std::string text, Language language) : text_(std::move(text)), language_(language) {}

SyntaxTree::SyntaxTree(const SyntaxTree& other)
    : text_(other.text_), language_(other.language_), tree_(ts_tree_copy(other.tree_.get())),
      current_(other.current_) {}

SyntaxTree& SyntaxTree::operator=(const SyntaxTree& other) {
    if (this != &other) *this = SyntaxTree(other);
    return *this;
}

SyntaxTree SyntaxTree::parse(std::string text, Language language) {
    SyntaxTree tree(std::move(text), language);
    tree.reparse({});
    return tree;
}

bool SyntaxTree::reparse(std::chrono::microseconds most) {
    const std::unique_ptr<TSParser, DeleteParser> parser(ts_parser_new());
    ts_parser_set_language(parser.get(), grammar(language_));
    ts_parser_set_timeout_micros(parser.get(), static_cast<std::uint64_t>(most.count()));
    std::unique_ptr<TSTree, Delete> parsed(ts_parser_parse_string(parser.get(), tree_.get(), text_.data(),
                                                                  static_cast<std::uint32_t>(text_.size())));
    current_ = parsed != nullptr;
    if (parsed) tree_ = std::move(parsed);
    return current_;
}

void SyntaxTree::edit(const TextEdit& edit, std::string text) {
    move_nodes(edit, std::move(text));
    reparse({});
}

bool SyntaxTree::edit_within(const TextEdit& edit, std::string text, std::chrono::microseconds most) {
    const bool was_current = current_;
    move_nodes(edit, std::move(text));
    // One that was not done in time before would not be now.
    current_ = false;
    return was_current && reparse(most);
}

void SyntaxTree::catch_up() {
    if (!current_) reparse({});
}

void SyntaxTree::move_nodes(const TextEdit& edit, std::string text) {
    const TSInputEdit change{.start_byte = edit.start,
                             .old_end_byte = edit.old_end,
                             .new_end_byte = edit.new_end,
                             .start_point = point_at(text_, edit.start),
                             .old_end_point = point_at(text_, edit.old_end),
                             .new_end_point = point_at(text, edit.new_end)};
    ts_tree_edit(tree_.get(), &change);
    text_ = std::move(text);
}

std::string_view SyntaxTree::text(ByteRange range) const {
    if (range.end > text_.size() || range.first > range.end) return {};
    return std::string_view(text_).substr(range.first, range.end - range.first);
}

Node SyntaxTree::root() const {
    return NodeAccess::make(ts_tree_root_node(tree_.get()));
}

std::vector<Node> SyntaxTree::path_to(std::uint32_t byte) const {
    std::vector<Node> path{root()};
    const std::vector<Node> below = path_to(byte, path.front());
    path.insert(path.end(), below.begin(), below.end());
    return path;
}

std::vector<Node> SyntaxTree::path_to(std::uint32_t byte, const Node& top) {
    std::vector<Node> path;
    if (!top.valid()) return path;
    for (Children child(top); child.there();) {
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
