#include "analysis/source/own_values.h"

#include "analysis/source/declared_names.h"
#include "analysis/source/member_path.h"
#include "analysis/source/variable_declarations.h"

#include <algorithm>
#include <ranges>

namespace heddle::source {

namespace {

/// A coroutine has its variables on the heap.
bool is_coroutine(std::string_view function) {
    return has_name(function, "co_await") || has_name(function, "co_return") ||
           has_name(function, "co_yield");
}

/// What a declarator makes of a type: a reference and an array name memory that others may have, too.
OwnValue declared_by(const Node& declarator, OwnValue type) {
    const std::string_view kind = declarator.kind();
    if (kind == "identifier" || kind == "function_declarator") return type; // `T name(x)`: a value, perhaps
    if (kind == "pointer_declarator") return declared_by(declarator.field("declarator"), OwnValue::scalar);
    if (kind == "init_declarator") return declared_by(declarator.field("declarator"), type);
    return OwnValue::no;
}

} // namespace

OwnValue own_value(const SyntaxTree& tree, const std::vector<Node>& path, std::string_view name) {
    const auto function = std::ranges::find_if(path.rbegin(), path.rend(), [](const Node& node) {
        return node.is("function_definition") || node.is("lambda_expression");
    });
    if (function == path.rend() || is_coroutine(tree.text(*function))) return OwnValue::no;
    const Node declaration = local_declaration(tree, path, name);
    if (!declaration.is("declaration") && !declaration.is("parameter_declaration")) return OwnValue::no;
    if (!function->range().contains(declaration.range())) return OwnValue::no; // of a function around it
    for (const std::string_view elsewhere : {"static", "extern", "thread_local", "_Thread_local"}) {
        if (has_specifier(tree, declaration, elsewhere)) return OwnValue::no;
    }
    const std::string_view type = tree.text(declaration.field("type"));
    if (has_name(type, "decltype")) return OwnValue::no;
    for (const Node& declarator : declaration.named_children()) {
        const Node named = declared_name(declarator);
        if (!named || tree.text(named) != name) continue;
        return declared_by(declarator, scalar_of(type) != Scalar::none ? OwnValue::scalar : OwnValue::object);
    }
    return OwnValue::no;
}

} // namespace heddle::source
