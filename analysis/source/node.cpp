#include "analysis/source/node.h"

#include "analysis/source/forest.h"
#include "analysis/source/tree_sitter_node.h"

namespace heddle::source {

namespace {

TSNode ts(const Node& node) {
    return NodeAccess::get(node);
}

bool is_root(const Node& node) {
    return node.valid() && NodeAccess::is_root(node);
}

} // namespace

std::string_view Node::kind() const {
    if (!valid()) return {};
    return is_root(*this) ? std::string_view("translation_unit") : std::string_view(ts_node_type(ts(*this)));
}

ByteRange Node::range() const {
    return valid() ? forest_->range(*this) : ByteRange();
}

bool Node::named() const {
    return valid() && (is_root(*this) || ts_node_is_named(ts(*this)));
}

bool Node::error() const {
    return valid() && forest_->error(*this);
}

Node Node::field(std::string_view name) const {
    if (!valid() || is_root(*this)) return {};
    const TSNode field =
        ts_node_child_by_field_name(ts(*this), name.data(), static_cast<std::uint32_t>(name.size()));
    return ts_node_is_null(field) ? Node() : NodeAccess::make(field, forest_);
}

std::vector<Node> Node::children() const {
    return valid() ? forest_->children(*this) : std::vector<Node>();
}

std::vector<Node> Node::named_children() const {
    std::vector<Node> result = children();
    std::erase_if(result, [](const Node& node) { return !node.named(); });
    return result;
}

std::vector<Node> Node::path_to(std::uint32_t byte) const {
    return valid() ? forest_->path_to(byte, *this) : std::vector<Node>();
}

Node Node::parent() const {
    if (!valid() || is_root(*this)) return {};
    Node above = forest_->root();
    for (const Node& node : above.path_to(range().first)) {
        if (node == *this) return above;
        above = node;
    }
    return {}; // it has no text
}

} // namespace heddle::source
