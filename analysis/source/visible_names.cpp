#include "analysis/source/visible_names.h"

#include "analysis/source/declared_names.h"
#include "analysis/source/functions.h"
#include "analysis/source/variable_declarations.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace heddle::source {

namespace {

constexpr int kMaxBases = 8;

bool is_class(const Node& node) {
    return (node.is("class_specifier") || node.is("struct_specifier")) && node.field("body").valid();
}

/// "Stack" of "Stack<T>".
std::string_view without_arguments(std::string_view name) {
    return name.substr(0, name.find('<'));
}

std::string_view last_part(std::string_view name) {
    name = without_arguments(name);
    const std::size_t colons = name.rfind("::");
    return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

std::string joined(std::string_view outer, std::string_view inner) {
    if (outer.empty() || inner.empty()) return std::string(outer) + std::string(inner);
    return std::string(outer) + "::" + std::string(inner);
}

/// `#ifndef BANK_H` around a whole header; what other conditions hold may not be there.
bool is_include_guard(const SyntaxTree& tree, const Node& node) {
    const std::vector<Node> parts = node.named_children();
    return node.is("preproc_ifdef") && tree.text(node).starts_with("#ifndef") && parts.size() > 1 &&
           parts[1].is("preproc_def") && tree.text(parts[1].field("name")) == tree.text(parts[0]);
}

/// Whether a declaration declares a variable of the name: not a function, and not in passing.
bool declares_variable(const SyntaxTree& tree, const Node& declaration, std::string_view name) {
    const Node type = declaration.field("type");
    return std::ranges::any_of(declaration.named_children(), [&](const Node& child) {
        if (child == type || child == declaration.field("default_value")) return false;
        Node declarator = child;
        while (declarator && !declarator.is("function_declarator"))
            declarator = declarator.field("declarator");
        // `std::mutex mu(…);` with arguments is an init_declarator, `void f(…);` is not.
        return !declarator && tree.text(declared_name(child)) == name;
    });
}

struct Scoped {
    Node node;
    std::string scope;
    bool hidden = false;
};

/// What stands in a text outside of functions and classes, with its namespaces.
template<typename Visit>
void for_each_outer(const SyntaxTree& tree, Visit visit) {
    std::vector<Scoped> open = {{tree.root(), {}, false}};
    while (!open.empty()) {
        const Scoped next = std::move(open.back());
        open.pop_back();
        for (const Node& child : next.node.named_children()) {
            visit(child, next.scope, next.hidden);
            if (child.is("namespace_definition")) {
                const std::string_view name = tree.text(child.field("name"));
                open.push_back({child.field("body"), joined(next.scope, name), next.hidden || name.empty()});
            } else if (child.is("linkage_specification")) {
                open.push_back({child.field("body"), next.scope, next.hidden});
            } else if (is_include_guard(tree, child)) {
                open.push_back({child, next.scope, next.hidden});
            }
        }
    }
}

/// Every class of a text that is in no function.
template<typename Visit>
void for_each_class(const SyntaxTree& tree, Visit visit) {
    std::vector<Node> open = {tree.root()};
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        if (is_class(node)) visit(node);
        if (node.is("function_definition")) continue;
        for (const Node& child : node.named_children()) open.push_back(child);
    }
}

/// What a function is defined as a member of: "bank::Account" of `void bank::Account::deposit()`.
std::string_view qualifier_at(const SyntaxTree& tree, std::uint32_t byte, std::string& storage) {
    const auto function = enclosing_function(tree, byte);
    if (!function) return {};
    storage = function->name;
    const std::size_t colons = storage.rfind("::");
    return colons == std::string::npos ? std::string_view() : std::string_view(storage).substr(0, colons);
}

} // namespace

bool Meaning::same_global(const Meaning& other) const {
    if (kind != Kind::global || other.kind != Kind::global || scope != other.scope) return false;
    return hidden || other.hidden ? declaration == other.declaration : true;
}

Node member_declaration(const ClassDefinition& of, std::string_view name) {
    for (const Node& member : of.node.field("body").named_children()) {
        if (member.is("field_declaration") && declares_variable(*of.tree, member, name)) return member;
    }
    return {};
}

std::string_view access_of(const ClassDefinition& of, const Node& member) {
    std::string_view access = of.node.is("struct_specifier") ? "public" : "private";
    for (const Node& one : of.node.field("body").named_children()) {
        if (one.is("access_specifier")) access = of.tree->text(one);
        if (one == member) break;
    }
    return access;
}

std::vector<const SyntaxTree*> VisibleNames::all() const {
    std::vector<const SyntaxTree*> result = {&tree_};
    std::ranges::copy_if(headers_, std::back_inserter(result),
                         [&](const SyntaxTree* header) { return header != &tree_; });
    return result;
}

std::optional<ClassDefinition> VisibleNames::class_named(std::string_view name) const {
    std::vector<ClassDefinition> found;
    for (const SyntaxTree* tree : all()) {
        for_each_class(*tree, [&](const Node& node) {
            if (last_part(tree->text(node.field("name"))) == last_part(name)) found.push_back({tree, node});
        });
    }
    return found.size() == 1 ? std::optional(found.front()) : std::nullopt; // of several, who knows which
}

std::optional<ClassDefinition> VisibleNames::class_at(std::uint32_t byte) const {
    const std::vector<Node> path = tree_.path_to(byte);
    for (std::size_t i = path.size(); i-- > 0;) {
        if (is_class(path[i])) return ClassDefinition{&tree_, path[i]};
    }
    std::string storage;
    const std::string_view qualifier = qualifier_at(tree_, byte, storage);
    return qualifier.empty() ? std::nullopt : class_named(qualifier);
}

std::vector<ClassDefinition> VisibleNames::classes_with(std::span<const std::string_view> members) const {
    std::vector<ClassDefinition> found;
    for (const SyntaxTree* tree : all()) {
        for_each_class(*tree, [&](const Node& node) {
            const ClassDefinition one{tree, node};
            const auto has = [&](std::string_view name) { return member_declaration(one, name).valid(); };
            if (std::ranges::all_of(members, has)) found.push_back(one);
        });
    }
    return found;
}

Meaning VisibleNames::member(const ClassDefinition& of, std::string_view name, int bases) const {
    if (const Node own = member_declaration(of, name))
        return {Meaning::Kind::member, of.tree, own, of.node, {}, false};
    for (const Node& part : of.node.named_children()) {
        if (!part.is("base_class_clause")) continue;
        for (const Node& base : part.named_children()) {
            const std::string_view type = of.tree->text(base);
            if (base.is("access_specifier") || type.starts_with("std::")) continue;
            const auto known = bases > 0 ? class_named(type) : std::nullopt;
            if (!known) return {Meaning::Kind::member, nullptr, {}, {}, {}, false}; // it may be one
            Meaning inherited = member(*known, name, bases - 1);
            if (inherited.kind == Meaning::Kind::member) return inherited;
        }
    }
    return {};
}

std::vector<std::string> VisibleNames::scopes_at(std::uint32_t byte) const {
    std::string scope;
    std::vector<std::string> result = {""};
    const auto enter = [&](std::string_view name) {
        if (name.empty()) return;
        scope = joined(scope, name);
        result.push_back(scope);
    };
    for (const Node& node : tree_.path_to(byte)) {
        if (node.is("namespace_definition")) enter(tree_.text(node.field("name")));
    }
    std::string storage;
    enter(qualifier_at(tree_, byte, storage)); // a class has no namespace's variables: none are found
    std::ranges::reverse(result);
    return result;
}

Meaning VisibleNames::global(std::string_view scope, std::string_view name, std::uint32_t byte) const {
    Meaning result;
    for (const SyntaxTree* tree : all()) {
        for_each_outer(*tree, [&](const Node& node, const std::string& in, bool hidden) {
            if (in != scope || !node.is("declaration") || (tree == &tree_ && node.range().first >= byte))
                return;
            if (!declares_variable(*tree, node, name)) return;
            const bool own = hidden || has_specifier(*tree, node, "static");
            result = {Meaning::Kind::global, tree, node, {}, std::string(scope), own};
        });
    }
    return result;
}

Meaning VisibleNames::meaning(std::string_view name, std::uint32_t byte) const {
    const std::size_t colons = name.rfind("::");
    const std::string_view qualifier =
        colons == std::string_view::npos ? std::string_view() : name.substr(0, colons);
    const std::string_view last = colons == std::string_view::npos ? name : name.substr(colons + 2);
    if (qualifier.empty() && colons == std::string_view::npos) {
        if (const Node local = local_declaration(tree_, tree_.path_to(byte), name))
            return {Meaning::Kind::local, &tree_, local, {}, {}, false};
        if (const auto around = class_at(byte)) {
            Meaning found = member(*around, name, kMaxBases);
            if (found.kind == Meaning::Kind::member) return found;
        }
    }
    for (const std::string& scope : scopes_at(byte)) {
        Meaning found = global(joined(scope, qualifier), last, byte);
        if (found.kind != Meaning::Kind::unknown) return found;
    }
    return {};
}

} // namespace heddle::source
