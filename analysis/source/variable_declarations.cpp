#include "analysis/source/variable_declarations.h"

#include "analysis/source/declared_names.h"

#include <algorithm>
#include <string>
#include <vector>

namespace heddle::source {

namespace {

/// Where a declaration stands.
struct Scope {
    bool function = false;
    bool hidden = false; ///< a namespace without a name
    Node owner;
    std::string path; ///< as VariableDeclaration::scope
};

Node declarator_of(const SyntaxTree& tree, const Node& declaration, std::string_view name) {
    for (const Node& child : declaration.named_children()) {
        const bool declarator = !(child == declaration.field("type")) &&
                                !(child == declaration.field("default_value")) &&
                                !(child == declaration.field("value"));
        if (!declarator) continue;
        const Node declared = declared_name(child);
        if (declared && tree.text(declared) == name) return child;
    }
    return {};
}

bool is_function(Node declarator) {
    while (declarator && !declarator.is("function_declarator")) declarator = declarator.field("declarator");
    return declarator.valid();
}

/// `auto& [key, value]`
bool binds(const SyntaxTree& tree, Node declarator, std::string_view name) {
    while (declarator && !declarator.is("structured_binding_declarator")) {
        const std::vector<Node> parts = declarator.named_children();
        const bool around = declarator.is("init_declarator") || declarator.is("reference_declarator");
        declarator = around && !parts.empty() ? parts.front() : Node();
    }
    return std::ranges::any_of(declarator.named_children(),
                               [&](const Node& one) { return tree.text(one) == name; });
}

bool declares(const SyntaxTree& tree, const Node& node, std::string_view name) {
    if (node.is("lambda_capture_initializer"))
        return !node.named_children().empty() && tree.text(node.named_children().front()) == name;
    if (!node.is("declaration") && !node.is("parameter_declaration") && !node.is("for_range_loop") &&
        !node.is("optional_parameter_declaration"))
        return false;
    if (tree.text(node).find(name) == std::string_view::npos) return false; // most of them, at once
    if (binds(tree, node.field("declarator"), name)) return true;
    if (node.is("for_range_loop")) return tree.text(declared_name(node.field("declarator"))) == name;
    return declarator_of(tree, node, name).valid();
}

/// `if (auto* found = find(id))`, `if (int n = count(); n > 0)`
std::vector<Node> declared_by_condition(const Node& statement) {
    std::vector<Node> result;
    for (const Node& part : statement.field("condition").named_children()) {
        if (part.is("init_statement")) {
            for (const Node& one : part.named_children()) result.push_back(one);
        }
        result.push_back(part);
    }
    return result;
}

/// The parameters of a function or lambda.
Node parameters_of(Node node) {
    Node declarator = node.field("declarator");
    while (declarator && !declarator.field("parameters")) declarator = declarator.field("declarator");
    return declarator.field("parameters");
}

class Collector {
  public:
    Collector(const SyntaxTree& tree, std::string_view name) : tree_(tree), name_(name) {}

    std::vector<VariableDeclaration> run() {
        struct Open {
            Node node;
            Scope scope;
        };
        std::vector<Open> open = {{tree_.root(), {}}};
        while (!open.empty()) {
            const Open next = open.back();
            open.pop_back();
            if (next.node.is("declaration") || next.node.is("field_declaration"))
                look_at(next.node, next.scope);
            Scope scope = next.scope;
            if (next.node.is("compound_statement")) scope.function = true;
            // Debug information names what a function keeps for itself by the function alone.
            if (next.node.is("function_definition")) scope.path = name_of_function(next.node);
            if (next.node.is("namespace_definition") || next.node.field("body").is("field_declaration_list"))
                scope.path = joined(scope.path, tree_.text(next.node.field("name")));
            if (next.node.is("namespace_definition") && !next.node.field("name")) scope.hidden = true;
            if (next.node.field("body").is("field_declaration_list")) scope.owner = next.node;
            for (const Node& child : next.node.named_children()) open.push_back({child, scope});
        }
        return std::move(found_);
    }

  private:
    static std::string joined(std::string outer, std::string_view inner) {
        if (!outer.empty() && !inner.empty()) outer += "::";
        return outer + std::string(inner);
    }
    [[nodiscard]] std::string name_of_function(const Node& definition) const {
        return std::string(tree_.text(declared_name(definition.field("declarator"))));
    }
    /// `Pool` of `int Pool::count;` and of `int Pool<T>::count;`
    [[nodiscard]] std::string qualifier_of(Node declarator) const {
        while (declarator && !declarator.is("qualified_identifier"))
            declarator = declarator.field("declarator");
        const std::string_view text = tree_.text(declarator);
        std::string plain;
        int arguments = 0;
        for (const char letter : text.substr(0, std::min(text.rfind("::"), text.size()))) {
            if (letter == '>') --arguments;
            if (letter == '<') ++arguments;
            if (arguments == 0 && letter != '>') plain += letter;
        }
        return plain;
    }

    void look_at(const Node& declaration, const Scope& scope) {
        const Node declarator = declarator_of(tree_, declaration, name_);
        if (!declarator || is_function(declarator)) return;
        const bool is_static = has_specifier(tree_, declaration, "static");
        const bool field = declaration.is("field_declaration");
        if (scope.function && !field && !is_static) return; // nobody else's
        found_.push_back({.declaration = declaration,
                          .declarator = declarator,
                          .name = declared_name(declarator),
                          .owner = field ? scope.owner : Node(),
                          .scope = joined(scope.path, qualifier_of(declarator)),
                          .member = field && !is_static,
                          .external = has_specifier(tree_, declaration, "extern") || (field && is_static),
                          .internal = scope.hidden || (!field && is_static)});
    }

    const SyntaxTree& tree_;
    std::string_view name_;
    std::vector<VariableDeclaration> found_;
};

} // namespace

bool has_specifier(const SyntaxTree& tree, const Node& declaration, std::string_view word) {
    return std::ranges::any_of(declaration.named_children(), [&](const Node& child) {
        return (child.is("storage_class_specifier") || child.is("type_qualifier")) &&
               tree.text(child) == word;
    });
}

std::vector<VariableDeclaration> variable_declarations(const SyntaxTree& tree, std::string_view name) {
    return Collector(tree, name).run();
}

Node local_declaration(const SyntaxTree& tree, const std::vector<Node>& path, std::string_view name) {
    const std::uint32_t before = path.back().range().first;
    for (std::size_t i = path.size(); i-- > 0;) {
        const Node& around = path[i];
        const bool callable = around.is("function_definition") || around.is("lambda_expression");
        const bool block = around.is("compound_statement") || around.is("for_statement");
        if (around.is("for_range_loop") && declares(tree, around, name) &&
            !around.field("right").range().contains(before))
            return around;
        std::vector<Node> candidates = (callable ? parameters_of(around)
                                        : block  ? around
                                                 : Node())
                                           .named_children();
        for (const Node& one : declared_by_condition(around)) candidates.push_back(one);
        for (const Node& one : around.field("captures").named_children()) candidates.push_back(one);
        const auto found = std::ranges::find_if(candidates.rbegin(), candidates.rend(), [&](const Node& one) {
            return one.range().first < before && declares(tree, one, name);
        });
        if (found != candidates.rend()) return *found;
    }
    return {};
}

} // namespace heddle::source
