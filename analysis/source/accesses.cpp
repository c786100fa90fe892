#include "analysis/source/accesses.h"

#include <algorithm>
#include <array>

namespace heddle::source {

namespace {

constexpr std::size_t kMaxNodes = 4'000; ///< looked at for one place
constexpr std::size_t kMaxDepth = 200;

/// What happens to the memory that an expression stands for.
struct Use {
    bool read = true;
    bool written = false;
};
constexpr Use kRead = {true, false};
constexpr Use kWritten = {false, true};
constexpr Use kAny = {true, true};

bool one_of(std::string_view kind, std::initializer_list<std::string_view> kinds) {
    return std::ranges::find(kinds, kind) != kinds.end();
}

/// Parts of an expression in which nothing is accessed, or at another time.
bool is_apart(std::string_view kind) {
    return one_of(kind,
                  {"compound_statement", "sizeof_expression", "alignof_expression", "decltype",
                   "template_argument_list", "type_descriptor", "lambda_expression", "function_definition",
                   "function_declarator", "field_declaration_list", "comment", "string_literal"});
}

class Collector {
  public:
    explicit Collector(const SyntaxTree& tree) : tree_(tree) {}

    void visit(const Node& node, Use use) {
        if (!node || ++nodes_ > kMaxNodes || depth_ > kMaxDepth) return;
        ++depth_;
        enter(node, use);
        --depth_;
    }

    std::vector<Access> take() { return std::move(found_); }

  private:
    void enter(const Node& node, Use use) {
        const std::string_view kind = node.kind();
        if (is_access(tree_, node)) {
            found_.push_back({node, use.read, use.written});
            visit(node.field("argument"), kRead);
            visit(node.field("index"), kRead);
            visit(node.field("indices"), kRead);
        } else if (kind == "assignment_expression") {
            visit(node.field("left"), node.field("operator").is("=") ? kWritten : kAny);
            visit(node.field("right"), kRead);
        } else if (kind == "update_expression" || kind == "pointer_expression") {
            visit(node.field("argument"), kAny);
        } else if (kind == "parenthesized_expression" || kind == "argument_list") {
            for (const Node& child : node.named_children()) visit(child, use);
        } else if (kind == "call_expression") {
            enter_call(node);
        } else if (kind == "init_declarator" || kind == "initializer_pair") {
            visit(node.field(kind == "init_declarator" ? "declarator" : "designator"), kWritten);
            visit(node.field("value"), kRead);
        } else if (kind == "lambda_expression") {
            visit(node.field("captures"), kRead);
        } else if (kind == "for_range_loop") {
            visit(node.field("right"), kAny);
        } else if (!is_apart(kind)) {
            enter_other(node, use);
        }
    }

    /// What is called may do anything to its arguments.
    void enter_call(const Node& call) {
        const Node called = call.field("function");
        if (called.is("field_expression")) {
            visit(called.field("argument"), kAny);
        } else if (called.is("call_expression") || called.is("lambda_expression")) {
            visit(called, kRead);
        }
        visit(call.field("arguments"), kAny);
    }

    void enter_other(const Node& node, Use use) {
        // Of a statement only what belongs to itself: `cond` of `if (cond) …`.
        const bool statement = node.kind().ends_with("_statement") || node.kind().ends_with("_loop");
        const bool passes = node.is("conditional_expression") || node.is("field_designator");
        const Node condition = node.field("condition");
        for (const Node& child : node.named_children()) {
            if (statement && child.kind().ends_with("_statement")) continue;
            visit(child, passes && !(child == condition) ? use : kRead);
        }
    }

    const SyntaxTree& tree_;
    std::vector<Access> found_;
    std::size_t nodes_ = 0;
    std::size_t depth_ = 0;
};

} // namespace

bool is_access(const SyntaxTree& tree, const Node& node) {
    const std::string_view kind = node.kind();
    if (one_of(kind, {"identifier", "field_expression", "subscript_expression", "qualified_identifier",
                      "field_identifier"}))
        return true;
    return kind == "pointer_expression" && tree.text(node).starts_with('*');
}

Node unwrapped(Node expression) {
    for (;;) {
        if (expression.is("parenthesized_expression")) {
            const std::vector<Node> inner = expression.named_children();
            if (inner.size() != 1) return expression;
            expression = inner.front();
        } else if (expression.is("cast_expression")) {
            expression = expression.field("value");
        } else {
            return expression;
        }
    }
}

Node referred(const SyntaxTree& tree, const Node& expression) {
    const Node inner = unwrapped(expression);
    if (inner.is("pointer_expression") && tree.text(inner).starts_with('&'))
        return unwrapped(inner.field("argument"));
    if (inner.is("call_expression") && one_of(function_of(tree, inner), {"ref", "addressof", "cref"})) {
        const std::vector<Node> arguments = inner.field("arguments").named_children();
        if (arguments.size() == 1) return unwrapped(arguments.front());
    }
    return inner;
}

std::string_view method_of(const SyntaxTree& tree, const Node& call) {
    const Node called = call.is("call_expression") ? call.field("function") : Node();
    return called.is("field_expression") ? tree.text(called.field("field")) : std::string_view();
}

std::string_view function_of(const SyntaxTree& tree, const Node& call) {
    Node called = call.is("call_expression") ? call.field("function") : Node();
    while (called.is("qualified_identifier") || called.is("template_function")) called = called.field("name");
    if (!one_of(called.kind(), {"identifier", "template_type", "type_identifier"})) return {};
    const std::string_view text = tree.text(called);
    return text.substr(0, text.find('<'));
}

std::vector<Access> accesses_in(const SyntaxTree& tree, const Node& node) {
    Collector collector(tree);
    collector.visit(node, kRead);
    return collector.take();
}

} // namespace heddle::source
