#include "analysis/source/atomic_uses.h"

#include "analysis/source/accesses.h"
#include "analysis/source/variable_declarations.h"

#include <algorithm>
#include <array>
#include <string>

namespace heddle::source {

namespace {

template<std::size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& list) {
    return std::ranges::find(list, text) != list.end();
}

/// The name that an expression ends in: `balance` of `acct->balance`.
std::string_view last_name(const SyntaxTree& tree, const Node& expression) {
    std::string_view text = tree.text(expression);
    const std::size_t at = text.find_last_of(".>:");
    return at == std::string_view::npos ? text : text.substr(at + 1);
}

bool is_literal(const Node& node) {
    static constexpr std::array<std::string_view, 7> kLiterals = {
        "number_literal", "char_literal", "true", "false", "null", "nullptr", "string_literal"};
    return is_one_of(node.kind(), kLiterals);
}

/// `std::cout` of `std::cout << a << b`.
bool is_stream(const SyntaxTree& tree, Node left) {
    static constexpr std::array<std::string_view, 3> kStreams = {"cout", "cerr", "clog"};
    while (left.is("binary_expression") && left.field("operator").is("<<")) left = left.field("left");
    return is_one_of(last_name(tree, left), kStreams);
}

/// The declaration around an initialiser, `auto` and references told.
bool declares_scalar(const SyntaxTree& tree, const Node& declaration, const Node& declarator) {
    const std::string_view type = without_macros(tree.text(declaration.field("type")));
    const std::string_view written = tree.text(declarator);
    if (type == "auto" || type == "__auto_type" || written.find('&') != std::string_view::npos) return false;
    return scalar_of(type) != Scalar::none || written.starts_with('*');
}

/// `ready && !queue.empty()`: each operand is asked whether it is true, whatever it is.
bool is_logical(const Node& expression) {
    const Node op = expression.is("binary_expression") ? expression.field("operator") : Node();
    return op.is("&&") || op.is("||") || op.is("and") || op.is("or");
}

bool is_negation(const Node& expression) {
    const Node op = expression.is("unary_expression") ? expression.field("operator") : Node();
    return op.is("!") || op.is("not");
}

} // namespace

/// An expression on the way from the root, without the parentheses around it.
struct AtomicUses::At {
    const SyntaxTree& tree;
    const std::vector<Node>& path;
    std::size_t index = 0;

    At(const SyntaxTree& text, const std::vector<Node>& way, std::size_t where)
        : tree(text), path(way), index(where) {
        while (index > 0 && path[index - 1].is("parenthesized_expression")) --index;
    }
    [[nodiscard]] const Node& node() const { return path[index]; }
    [[nodiscard]] Node above(std::size_t levels) const {
        return index >= levels ? path[index - levels] : Node();
    }
    [[nodiscard]] At parent() const { return {tree, path, index - 1}; }
};

std::optional<AtomicUse> AtomicUses::use(const SyntaxTree& tree, const std::vector<Node>& path) const {
    const At at(tree, path, path.size() - 1);
    const Node parent = at.above(1);
    if (parent.is("assignment_expression") && parent.field("left") == at.node()) return assigned(at);
    if (parent.is("update_expression")) {
        if (!may_update("+=") || !value_is_fine(at.parent())) return std::nullopt;
        return AtomicUse::updated;
    }
    const bool initialised =
        parent.is("field_initializer") || (parent.is("initializer_pair") && at.node().is("field_designator"));
    if (initialised) return AtomicUse::none;
    if (parent.is("assignment_expression") && cpp_ && last_name(tree, parent.field("left")) == name_)
        return std::nullopt; // one atomic variable is not assigned to another
    return value_is_fine(at) ? std::optional(AtomicUse::read) : std::nullopt;
}

std::optional<AtomicUse> AtomicUses::assigned(const At& at) const {
    const Node assignment = at.above(1);
    const std::string_view op = assignment.field("operator").kind();
    const Node right = unwrapped(assignment.field("right"));
    // `x = x + 1` stays two steps: being atomic does not make it right.
    if (mentions(at.tree, right)) return std::nullopt;
    if (op != "=" && !may_update(op)) return std::nullopt;
    // Of what is assigned to a class the type is no longer deduced, nor a list of braces taken apart.
    if (cpp_ && !is_literal(right) && !is_scalar(at.tree, right)) return std::nullopt;
    if (!value_is_fine(at.parent())) return std::nullopt;
    if (op != "=") return AtomicUse::updated;
    return is_literal(right) ? AtomicUse::written : AtomicUse::computed;
}

/// Whether an expression has the variable, and not a local one that is called the same.
bool AtomicUses::mentions(const SyntaxTree& tree, const Node& expression) const {
    std::vector<Node> open = {expression};
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        for (const Node& child : node.named_children()) open.push_back(child);
        if (tree.text(node) != name_) continue;
        if (node.is("field_identifier")) return true;
        if (!node.is("identifier")) continue;
        const Node local = local_declaration(tree, tree.path_to(node.range().first), name_);
        if (!local || has_specifier(tree, local, "static")) return true;
    }
    return false;
}

/// The operators that std::atomic has for its type. C has all of them, but those of floating types are in a
/// library that is not linked by itself.
bool AtomicUses::may_update(std::string_view op) const {
    static constexpr std::array<std::string_view, 5> kOfIntegers = {"+=", "-=", "&=", "|=", "^="};
    if (!cpp_) return type_ != Scalar::floating;
    if (type_ == Scalar::integer) return is_one_of(op, kOfIntegers);
    return type_ == Scalar::pointer && (op == "+=" || op == "-=");
}

/// Whether the value of an expression may be asked for where it stands, through a conversion.
bool AtomicUses::value_is_fine(const At& at) const {
    static constexpr std::array<std::string_view, 10> kValues = {
        "expression_statement", "comma_expression",      "condition_clause", "if_statement",
        "while_statement",      "do_statement",          "for_statement",    "switch_statement",
        "unary_expression",     "conditional_expression"};
    const Node parent = at.above(1);
    const std::string_view kind = parent.kind();
    if (kind == "switch_statement" && !cpp_) return false; // Clang wants a plain number
    if (kind == "conditional_expression" && cpp_) return parent.field("condition") == at.node();
    if (is_one_of(kind, kValues)) return true;
    if (kind == "assignment_expression") return !cpp_ || is_scalar(at.tree, parent.field("left"));
    if (kind == "pointer_expression") return at.tree.text(parent).starts_with('*');
    if (kind == "binary_expression") return operand_is_fine(at);
    if (kind == "return_statement") return returned_is_fine(at);
    if (kind == "cast_expression")
        return !cpp_ || parent.field("type").named_children().size() != 1 ||
               scalar_of(at.tree.text(parent.field("type"))) != Scalar::none;
    if (kind == "field_expression" || kind == "initializer_pair") return !cpp_;
    if (kind == "subscript_expression")
        return !cpp_ || (parent.field("argument") == at.node() && type_ == Scalar::pointer);
    if (kind == "subscript_argument_list")
        return !cpp_ || names_.is_array(at.tree.text(at.above(2).field("argument")));
    if (kind == "argument_list") return argument_is_fine(at);
    if (kind == "init_declarator") return initialiser_is_fine(at, 1);
    if (kind == "initializer_list") return !cpp_ || initialiser_is_fine(at, 2);
    return false;
}

/// `outer`: how far above the expression what it initialises is.
bool AtomicUses::initialiser_is_fine(const At& at, std::size_t outer) const {
    const Node whole = at.above(outer);
    if (whole.is("init_declarator"))
        return declares_scalar(at.tree, at.above(outer + 1), whole.field("declarator"));
    if (whole.is("compound_literal_expression"))
        return scalar_of(at.tree.text(whole.field("type"))) != Scalar::none;
    if (!whole.is("field_initializer")) return false;
    const std::vector<Node> parts = whole.named_children();
    return !parts.empty() && at.tree.text(parts.front()) != name_ &&
           names_.is_scalar(at.tree.text(parts.front()));
}

bool AtomicUses::argument_is_fine(const At& at) const {
    const Node call = at.above(2);
    if (!call.is("call_expression")) return cpp_ && initialiser_is_fine(at, 2);
    const Node called = call.field("function");
    if (called.is("primitive_type")) return true;
    if (called.is("template_function")) { // static_cast<long>(x)
        const std::string_view text = at.tree.text(called);
        const std::size_t open = text.find('<');
        return text.starts_with("static_cast") &&
               scalar_of(text.substr(open + 1, text.rfind('>') - open - 1)) != Scalar::none;
    }
    std::string_view function = function_of(at.tree, call);
    if (function.empty()) function = method_of(at.tree, call);
    if (function.empty() || names_.is_macro(function) || is_shouted(function)) return false;
    if (!cpp_) return true;
    const std::vector<Node> arguments = call.field("arguments").named_children();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i].range().contains(at.node().range())) return names_.takes_scalar(function, i);
    }
    return false;
}

bool AtomicUses::returned_is_fine(const At& at) const {
    if (!cpp_) return true;
    for (std::size_t i = at.index; i-- > 0;) {
        const Node& around = at.path[i];
        if (around.is("lambda_expression")) return false;
        if (around.is("function_definition"))
            return declares_scalar(at.tree, around,
                                   around.field("declarator").is("function_declarator")
                                       ? around.field("declarator").field("declarator")
                                       : around.field("declarator"));
    }
    return false;
}

bool AtomicUses::operand_is_fine(const At& at) const {
    const Node whole = at.above(1);
    if (is_logical(whole)) return true;
    const bool first = whole.field("left") == at.node();
    if (!cpp_ || is_scalar(at.tree, whole.field(first ? "right" : "left"))) return true;
    return !first && whole.field("operator").is("<<") && is_stream(at.tree, whole.field("left"));
}

/// Whether an expression is a number or a pointer: what C++ converts an atomic variable to beside it.
bool AtomicUses::is_scalar(const SyntaxTree& tree, Node expression) const {
    if (expression.is("cast_expression") && scalar_of(tree.text(expression.field("type"))) != Scalar::none)
        return true;
    expression = unwrapped(expression);
    const std::string_view kind = expression.kind();
    if (is_literal(expression) || is_logical(expression) || is_negation(expression)) return true;
    if (kind == "identifier" || kind == "field_expression" || kind == "qualified_identifier") {
        const std::string_view name = last_name(tree, expression);
        return names_.is_scalar(name) || (kind == "identifier" && is_shouted(name));
    }
    if (kind == "binary_expression")
        return is_scalar(tree, expression.field("left")) && is_scalar(tree, expression.field("right"));
    if (kind == "unary_expression" || kind == "update_expression")
        return is_scalar(tree, expression.field("argument"));
    if (kind == "pointer_expression") return tree.text(expression).starts_with('&');
    if (kind == "conditional_expression")
        return is_scalar(tree, expression.field("consequence")) &&
               is_scalar(tree, expression.field("alternative"));
    if (kind == "subscript_expression") return names_.is_array(tree.text(expression.field("argument")));
    if (kind == "call_expression") {
        std::string_view function = function_of(tree, expression);
        if (function.empty()) function = method_of(tree, expression);
        return names_.returns_scalar(function);
    }
    return kind == "sizeof_expression" || kind == "new_expression";
}

} // namespace heddle::source
