#include "analysis/source/declarations.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace heddle::source {

namespace {

/// "bank" of "bank::account.balance".
std::string scope_of(std::string_view name) {
    name = name.substr(0, name.find_first_of(".["));
    const std::size_t colons = name.rfind("::");
    return std::string(colons == std::string_view::npos ? std::string_view() : name.substr(0, colons));
}

/// "account", "balance" of "bank::account.cells[3].balance": without qualifiers and indices.
std::vector<std::string> path_of(std::string_view name) {
    std::vector<std::string> parts(1);
    bool index = false;
    for (const char letter : name) {
        if (letter == '[' || letter == ']') {
            index = letter == '[';
        } else if (index) {
            continue;
        } else if (letter == '.') {
            parts.emplace_back();
        } else if (letter == ':') {
            parts.back().clear();
        } else {
            parts.back() += letter;
        }
    }
    return parts;
}

bool is_type_with_members(const Node& node) {
    return node.is("struct_specifier") || node.is("class_specifier") || node.is("union_specifier");
}

/// The name that a declarator declares; none for functions.
Node declared_name(Node declarator) {
    while (declarator && !declarator.is("identifier") && !declarator.is("field_identifier") &&
           !declarator.is("type_identifier")) {
        if (declarator.is("function_declarator")) return {};
        Node inner = declarator.field("declarator");
        if (!inner && declarator.kind().ends_with("declarator")) {
            for (const Node& child : declarator.named_children()) inner = child;
        }
        declarator = inner;
    }
    return declarator;
}

/// "bank::Account" of "bank::Account<int>::deposit": without what templates are made with. Empty for
/// functions within functions.
std::string class_of(std::string_view function) {
    std::string scope;
    int depth = 0;
    for (const char letter : function) {
        if (depth == 0 && (letter == '{' || letter == '(')) return {};
        if (letter == '<') ++depth;
        if (depth == 0) scope += letter;
        if (letter == '>') --depth;
    }
    const std::size_t colons = scope.rfind("::");
    return depth != 0 || colons == std::string::npos ? std::string() : scope.substr(0, colons);
}

} // namespace

Declarations::Declarations(const SyntaxTree& tree) : tree_(tree) {
    collect();
}

std::optional<ByteRange> Declarations::find(std::string_view name) const {
    if (name.empty() || name.find(' ') != std::string_view::npos) return std::nullopt;
    const std::vector<std::string> path = path_of(name);
    Declared here = variable(scope_of(name), path.front());
    for (std::size_t i = 1; i < path.size() && here.name; ++i)
        here = member_of(here.declaration.field("type"), path[i]);
    return here.name ? std::optional(here.name.range()) : std::nullopt;
}

std::optional<ByteRange> Declarations::find(const OwnMember& member) const {
    const std::string wanted = class_of(member.function);
    if (wanted.empty()) return std::nullopt;
    for (const auto& [type, name] : types_) {
        if (name != wanted || !type.field("body")) continue;
        const Declared found = find_in(type.field("body").named_children(), member.name);
        if (found.name) return found.name.range();
    }
    return std::nullopt;
}

std::optional<ByteRange> Declarations::find(const MemberOf& member) const {
    const Node definition = definition_of(member.type);
    if (!definition) return std::nullopt;
    const Declared found = find_in(definition.field("body").named_children(), member.name);
    return found.name ? std::optional(found.name.range()) : std::nullopt;
}

/// Declarations outside of functions: variables, static members among them, and types.
void Declarations::collect() {
    static constexpr std::array<std::string_view, 8> kHolders = {
        "translation_unit", "namespace_definition", "declaration_list",     "linkage_specification",
        "preproc_ifdef",    "preproc_if",           "template_declaration", "preproc_else"};
    std::vector<Scoped> open{{tree_.root(), {}}};
    while (!open.empty()) {
        const auto [node, scope] = open.back();
        open.pop_back();
        if (node.is("declaration") || node.is("type_definition")) {
            variables_.push_back({node, scope});
            if (is_type_with_members(node.field("type"))) open.push_back({node.field("type"), scope});
        } else if (is_type_with_members(node)) {
            const std::string inner = within(scope, node);
            types_.push_back({node, inner});
            for (const Node& member : node.field("body").named_children()) {
                if (is_type_with_members(member.field("type"))) open.push_back({member.field("type"), inner});
                const bool fixed = std::ranges::any_of(member.named_children(), [&](const Node& child) {
                    return child.is("storage_class_specifier") && tree_.text(child) == "static";
                });
                if (fixed) variables_.push_back({member, inner});
            }
        } else if (std::ranges::find(kHolders, node.kind()) != kHolders.end()) {
            const std::string inner = node.is("namespace_definition") ? within(scope, node) : scope;
            for (const Node& child : node.named_children()) open.push_back({child, inner});
        }
    }
}

std::string Declarations::within(const std::string& scope, const Node& node) const {
    const std::string name(tree_.text(node.field("name")));
    return scope.empty() || name.empty() ? scope + name : scope + "::" + name;
}

/// Of several with that name, the one in that scope; a name without a scope may leave it out.
Declarations::Declared Declarations::variable(const std::string& scope, std::string_view name) const {
    std::vector<Declared> elsewhere;
    for (const Scoped& one : variables_) {
        const Declared found = find_in({one.node}, name);
        if (!found.name) continue;
        if (one.scope == scope) return found;
        elsewhere.push_back(found);
    }
    return scope.empty() && elsewhere.size() == 1 ? elsewhere.front() : Declared();
}

Declarations::Declared Declarations::find_in(const std::vector<Node>& declarations,
                                             std::string_view name) const {
    for (const Node& declaration : declarations) {
        if (!declaration.is("declaration") && !declaration.is("field_declaration")) continue;
        for (const Node& child : declaration.named_children()) {
            if (child == declaration.field("type") || child == declaration.field("default_value")) continue;
            const Node declared = declared_name(child);
            if (declared && tree_.text(declared) == name) return {declaration, declared};
        }
    }
    return {};
}

Declarations::Declared Declarations::member_of(const Node& type, std::string_view name) const {
    const Node definition = definition_of(type);
    return definition ? find_in(definition.field("body").named_children(), name) : Declared();
}

Node Declarations::definition_of(const Node& type) const {
    if (is_type_with_members(type) && type.field("body")) return type;
    std::string_view wanted = tree_.text(is_type_with_members(type) ? type.field("name") : type);
    return definition_of(wanted.substr(wanted.rfind(':') + 1)); // npos + 1 is 0
}

Node Declarations::definition_of(std::string_view wanted) const {
    for (const auto& [known, scope] : types_) {
        if (known.field("body") && tree_.text(known.field("name")) == wanted) return known;
    }
    for (const auto& [alias, scope] : variables_) { // typedef struct { … } name;
        if (!alias.is("type_definition") || !alias.field("type").field("body")) continue;
        if (tree_.text(declared_name(alias.field("declarator"))) == wanted) return alias.field("type");
    }
    return {};
}

std::optional<ByteRange> declaration_of(const SyntaxTree& tree, std::string_view name) {
    return Declarations(tree).find(name);
}

} // namespace heddle::source
