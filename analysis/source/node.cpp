#include "analysis/source/node.h"

#include "analysis/source/forest.h"
#include "analysis/source/tree_sitter_node.h"

#include <unordered_map>

namespace heddle::source {

namespace {

TSNode ts(const Node& node) {
    return NodeAccess::get(node);
}

bool is_root(const Node& node) {
    return node.valid() && NodeAccess::is_root(node);
}

/// The numbers of a language's fields. tree-sitter compares with one name after the other, and fields are
/// asked for all the time.
class Fields {
  public:
    explicit Fields(Language language) {
        const TSLanguage* rules = grammar(language);
        const auto count = static_cast<TSFieldId>(ts_language_field_count(rules));
        for (TSFieldId field = 1; field <= count; ++field)
            numbers_.emplace(ts_language_field_name_for_id(rules, field), field);
    }
    /// 0: there is no such field.
    [[nodiscard]] TSFieldId number_of(std::string_view name) const {
        const auto found = numbers_.find(name);
        return found == numbers_.end() ? TSFieldId{0} : found->second;
    }
    [[nodiscard]] static const Fields& of(const TSNode& node) {
        static const Fields c(Language::c);
        static const Fields cpp(Language::cpp);
        return ts_tree_language(node.tree) == grammar(Language::cpp) ? cpp : c;
    }

  private:
    std::unordered_map<std::string_view, TSFieldId> numbers_;
};

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
    const TSFieldId number = Fields::of(ts(*this)).number_of(name);
    if (number == 0) return {};
    const TSNode field = ts_node_child_by_field_id(ts(*this), number);
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
