#include "analysis/source/own_guards.h"

#include "analysis/source/functions.h"
#include "analysis/source/member_path.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace heddle::source {

namespace {

/// "bank::Guard" of `bank::Guard<Mutex>`.
std::string_view without_arguments(std::string_view type) {
    return type.substr(0, type.find('<'));
}

bool defines(const SyntaxTree& tree, const Node& node, std::string_view type) {
    const bool type_of_its_own =
        (node.is("class_specifier") || node.is("struct_specifier")) && node.field("body").valid();
    const bool other_name = node.is("alias_declaration");
    if (node.is("type_definition")) return tree.text(node.field("declarator")) == type;
    return (type_of_its_own || other_name) && tree.text(node.field("name")) == type;
}

struct Definition {
    Node node;
    Node around; ///< the class, block or namespace that it is in; none: nothing
};

/// Every definition of a type in a text. O(text).
std::vector<Definition> definitions(const SyntaxTree& tree, std::string_view type) {
    std::vector<Definition> result;
    if (!has_name(tree.text(), type)) return result;
    std::vector<Definition> open = {{tree.root(), {}}};
    while (!open.empty()) {
        const Definition next = open.back();
        open.pop_back();
        if (defines(tree, next.node, type)) result.push_back(next);
        const bool scope = next.node.is("field_declaration_list") || next.node.is("compound_statement") ||
                           next.node.is("namespace_definition");
        for (const Node& child : next.node.named_children())
            open.push_back({child, scope ? next.node : next.around});
    }
    return result;
}

/// The namespaces around a byte, as they are written.
std::vector<std::string_view> namespaces_at(const SyntaxTree& tree, std::uint32_t byte) {
    std::vector<std::string_view> result;
    for (const Node& node : tree.path_to(byte)) {
        if (node.is("namespace_definition")) result.push_back(tree.text(node.field("name")));
    }
    return result;
}

} // namespace

std::optional<Guard> own_guard_at(const SyntaxTree& tree, std::uint32_t byte) {
    const auto placed = statement_at(tree, byte);
    if (!placed || is_guard(tree, placed->statement)) return std::nullopt;
    return declared_with_one(tree, placed->statement);
}

bool can_be_declared_at(const SyntaxTree& tree, const Node& declaration, std::uint32_t byte,
                        std::span<const SyntaxTree* const> headers) {
    const std::uint32_t here = declaration.range().first;
    const auto function = enclosing_function(tree, here);
    if (!function || has_name(tree.text(function->body), "using")) return false;
    // What is in the same namespaces, or further in, sees what they have.
    const std::vector<std::string_view> there = namespaces_at(tree, byte);
    const std::vector<std::string_view> own = namespaces_at(tree, here);
    if (own.size() > there.size() || !std::equal(own.begin(), own.end(), there.begin())) return false;
    const std::string_view type = without_arguments(tree.text(declaration.field("type")));
    const std::string_view name = type.substr(type.rfind(':') + 1); // npos + 1 is 0
    for (const Definition& one : definitions(tree, name)) {
        const bool in_a_class = one.around.is("field_declaration_list");
        if (one.around && !one.around.is("namespace_definition") && !one.around.range().contains(byte))
            return false;
        if (!in_a_class && one.node.range().end > byte) return false; // not yet
    }
    return std::ranges::none_of(headers, [&](const SyntaxTree* header) {
        return std::ranges::any_of(definitions(*header, name), [](const Definition& one) {
            return one.around.valid() && !one.around.is("namespace_definition");
        });
    });
}

} // namespace heddle::source
