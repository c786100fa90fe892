#include "analysis/source/object_name.h"

#include <algorithm>

namespace heddle::source {

namespace {

bool is_word(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '_' || static_cast<unsigned char>(letter) >= 0x80;
}

std::string_view without_offset(std::string_view name) {
    const std::size_t plus = name.rfind('+');
    const bool offset = plus != std::string_view::npos && plus + 1 < name.size() &&
                        name.find_first_not_of("0123456789", plus + 1) == std::string_view::npos;
    return offset ? name.substr(0, plus) : name;
}

bool drop_index(std::string_view& name) {
    if (!name.ends_with(']')) return false;
    const std::size_t open = name.rfind('[');
    if (open == std::string_view::npos) return false;
    name.remove_suffix(name.size() - open);
    return true;
}

std::string_view take_last_word(std::string_view& name) {
    std::size_t begin = name.size();
    while (begin > 0 && is_word(name[begin - 1])) --begin;
    const std::string_view word = name.substr(begin);
    name.remove_suffix(name.size() - begin);
    return word;
}

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_word(text[end])) ++end;
        if (end > at) words.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

/// What an expression ends in, and whether something is fetched from behind that: what a call returns may be
/// any memory.
struct Tail {
    std::string_view word;
    bool indexed = false;
};

Tail tail_of(const SyntaxTree& tree, Node node) {
    Tail tail;
    while (node) {
        const std::string_view kind = node.kind();
        if (kind == "parenthesized_expression") {
            const std::vector<Node> inner = node.named_children();
            node = inner.empty() ? Node() : inner.back();
        } else if (kind == "subscript_expression" || kind == "pointer_expression") {
            tail.indexed = true;
            node = node.field("argument");
        } else if (kind == "field_expression") {
            node = node.field("field");
        } else if (kind == "call_expression") {
            return {.word = {}, .indexed = true};
        } else {
            std::string_view text = tree.text(node);
            tail.word = take_last_word(text);
            return tail;
        }
    }
    return tail;
}

} // namespace

ObjectName::ObjectName(std::string_view name) : on_heap_(name.starts_with("heap block")) {
    if (name.find(' ') != std::string_view::npos) return; // a description
    name = without_offset(name);
    while (drop_index(name)) indexed_ = true;
    if (name.ends_with('}')) {
        const std::size_t open = name.rfind('{');
        if (open == std::string_view::npos) return;
        last_ = words_of(name.substr(open));
        name.remove_suffix(name.size() - open);
    } else if (const std::string_view word = take_last_word(name); !word.empty()) {
        last_.push_back(word);
    }
    owners_ = words_of(name);
    member_ = name.find('.') != std::string_view::npos;
}

bool ObjectName::is_other_member(const SyntaxTree& tree, const Node& expression) const {
    // An array may hold anything.
    return member_ && !indexed_ && expression.is("field_expression") &&
           match(tree, expression) == NameMatch::none;
}

NameMatch ObjectName::match(const SyntaxTree& tree, const Node& expression) const {
    const Tail tail = tail_of(tree, expression);
    const auto in = [&](const std::vector<std::string_view>& words) {
        return std::ranges::find(words, tail.word) != words.end();
    };
    if (!tail.word.empty() && in(last_)) return tail.indexed == indexed_ ? NameMatch::exact : NameMatch::part;
    if (!tail.word.empty() && in(owners_)) return NameMatch::part;
    return tail.indexed ? NameMatch::pointed : NameMatch::none;
}

} // namespace heddle::source
