#include "analysis/source/intents.h"

#include "analysis/source/accesses.h"
#include "analysis/source/atomic_calls.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

namespace heddle::source {

namespace {

constexpr std::size_t kMaxDepth = 400; ///< of syntax; what is deeper is not looked at

/// How an expression is written, so that the same one elsewhere is told to be the same.
std::string spelling(const SyntaxTree& tree, const Node& expression) {
    std::string text;
    for (const char letter : tree.text(expression)) {
        if (letter != ' ' && letter != '\t' && letter != '\n' && letter != '\r') text += letter;
    }
    return text.starts_with("this->") ? text.substr(6) : text;
}

using Spellings = std::set<std::string, std::less<>>;

Spellings reads_in(const SyntaxTree& tree, const Node& node) {
    Spellings result;
    for (const Access& access : accesses_in(tree, node)) {
        if (access.read) result.insert(spelling(tree, access.node));
    }
    return result;
}

/// Where a value was looked at, and what of.
struct Look {
    ByteRange where;
    Spellings reads;
    std::map<std::string, ByteRange>
        earlier; ///< what it reads by way of local variables, and where they got it
};

/// The name that a declarator gives to memory of its own; none for references and for what is no variable.
Node own_name(Node declarator) {
    while (declarator) {
        if (declarator.is("identifier")) return declarator;
        if (declarator.is("reference_declarator") || declarator.is("function_declarator")) return {};
        declarator = declarator.field("declarator");
    }
    return {};
}

/// The rest of the function, or of the loop, does not follow.
bool leaves(const Node& statement) {
    if (statement.is("compound_statement")) {
        std::vector<Node> inner = statement.named_children();
        std::erase_if(inner, [](const Node& node) { return node.is("comment"); });
        return !inner.empty() && leaves(inner.back());
    }
    return statement.is("return_statement") || statement.is("throw_statement") ||
           statement.is("break_statement") || statement.is("continue_statement") ||
           statement.is("goto_statement");
}

/// One function, or one lambda: what runs in one call.
class Body {
  public:
    Body(const SyntaxTree& tree, const LineColumns& places, std::vector<InferredPiece>& found,
         std::vector<Node>& bodies)
        : tree_(tree), places_(places), found_(found), bodies_(bodies) {}

    void take(const Node& function) {
        collect_own(function.field("declarator"));
        visit(function.field("body"), false);
    }

  private:
    /// Parameters: what is assigned to them nobody else sees.
    void collect_own(Node declarator) {
        while (declarator && !declarator.field("parameters")) declarator = declarator.field("declarator");
        for (const Node& parameter : declarator.field("parameters").named_children()) own(parameter);
    }
    void own(const Node& declaration) {
        for (const Node& child : declaration.named_children()) {
            if (tree_.text(child) == "static" || tree_.text(child) == "extern") return;
            if (const Node name = own_name(child)) own_.insert(std::string(tree_.text(name)));
        }
    }

    /// `deciding`: the value of the node is what a condition looks at.
    void visit(const Node& node, bool deciding) {
        if (!node || depth_ > kMaxDepth) return;
        ++depth_;
        enter(node, deciding);
        --depth_;
    }

    void enter(const Node& node, bool deciding) {
        const std::string_view kind = node.kind();
        if (kind == "lambda_expression" || kind == "function_definition") {
            bodies_.push_back(node);
        } else if (kind == "compound_statement") {
            enter_block(node, false);
        } else if (kind == "if_statement" || kind == "while_statement" || kind == "switch_statement") {
            const Node condition = node.field("condition");
            visit(condition, true);
            with_condition({node.range().first, condition.range().end}, condition, [&] {
                for (const char* part : {"consequence", "alternative", "body"})
                    visit(node.field(part), false);
            });
        } else if (kind == "for_statement") {
            visit(node.field("initializer"), false);
            const Node condition = node.field("condition");
            visit(condition, true);
            with_condition(condition.range(), condition, [&] {
                visit(body_of(node), false);
                visit(node.field("update"), false);
            });
        } else if (kind == "conditional_expression") {
            const Node condition = node.field("condition");
            visit(condition, true);
            with_condition(condition.range(), condition, [&] {
                visit(node.field("consequence"), deciding);
                visit(node.field("alternative"), deciding);
            });
        } else if (kind == "binary_expression" && is_logical(node)) {
            const Node left = node.field("left");
            visit(left, true);
            with_condition(left.range(), left, [&] { visit(node.field("right"), deciding); });
        } else if (kind == "declaration") {
            own(node);
            for (const Node& child : node.named_children()) visit(child, false);
        } else if (kind == "init_declarator") {
            visit(node.field("value"), false);
            remember(own_name(node.field("declarator")), node);
        } else if (kind == "assignment_expression") {
            enter_assignment(node, deciding);
        } else if (kind == "update_expression") {
            act(node, unwrapped(node.field("argument")), {}, true, deciding);
        } else if (kind == "call_expression") {
            enter_call(node, deciding);
        } else {
            const bool passes = kind == "parenthesized_expression" || kind == "condition_clause" ||
                                kind == "unary_expression" || kind == "binary_expression";
            for (const Node& child : node.named_children()) visit(child, passes && deciding);
        }
    }

    [[nodiscard]] static bool is_logical(const Node& node) {
        const Node symbol = node.field("operator");
        return symbol.is("&&") || symbol.is("||") || symbol.is("and") || symbol.is("or");
    }

    /// Some versions of the grammar give the body of `for` no name.
    [[nodiscard]] static Node body_of(const Node& loop) {
        if (const Node body = loop.field("body")) return body;
        const std::vector<Node> children = loop.named_children();
        return children.empty() ? Node() : children.back();
    }

    /// What follows `if (…) return;` happens on its condition, too. `within`: a block that is no more than
    /// part of another, for a lock's sake: what follows it, follows that condition as well.
    void enter_block(const Node& block, bool within) {
        const std::size_t outer = conditions_.size();
        for (const Node& child : block.named_children()) {
            if (child.is("compound_statement") && depth_ < kMaxDepth) {
                ++depth_;
                enter_block(child, true);
                --depth_;
                continue;
            }
            visit(child, false);
            const Node condition = child.is("if_statement") ? child.field("condition") : Node();
            if (condition && !child.field("alternative") && leaves(child.field("consequence")))
                conditions_.push_back(look({child.range().first, condition.range().end}, condition));
        }
        if (!within) conditions_.resize(outer);
    }

    template<typename Inside>
    void with_condition(ByteRange where, const Node& condition, Inside inside) {
        const std::size_t outer = conditions_.size();
        if (condition) conditions_.push_back(look(where, condition));
        inside();
        conditions_.resize(outer);
    }

    [[nodiscard]] Look look(ByteRange where, const Node& condition) const {
        Look result{where, condition.error() ? Spellings() : reads_in(tree_, condition), {}};
        result.earlier = through_locals(result.reads);
        return result;
    }

    [[nodiscard]] std::map<std::string, ByteRange> through_locals(const Spellings& used) const {
        std::map<std::string, ByteRange> result;
        for (const std::string& name : used) {
            const auto local = locals_.find(name);
            if (local == locals_.end()) continue;
            for (const std::string& read : local->second.reads) result.emplace(read, local->second.where);
        }
        return result;
    }

    void enter_assignment(const Node& node, bool deciding) {
        const Node left = node.field("left");
        const Node right = node.field("right");
        visit(right, false);
        const Node target = unwrapped(left);
        act(node, target, {right}, !node.field("operator").is("="), deciding);
        if (target.is("identifier")) remember(target, node);
    }

    void enter_call(const Node& node, bool deciding) {
        for (const Node& argument : node.field("arguments").named_children()) visit(argument, false);
        visit(node.field("function"), false);
        const AtomicCall call = atomic_write(tree_, node);
        if (call.target) act(node, call.target, call.values, false, deciding || call.checks);
    }

    /// The latest value of a local variable, and what it was made of.
    void remember(const Node& name, const Node& value) {
        if (!name) return;
        const std::string variable(tree_.text(name));
        if (!own_.contains(variable)) return;
        Spellings reads = value.error() ? Spellings() : reads_in(tree_, value);
        reads.erase(variable);
        locals_.insert_or_assign(variable, Look{value.range(), std::move(reads), {}});
    }

    /// `node` writes `target`. `updates`: and reads it, whatever the values are. `checked`: it decides on
    /// what it finds itself.
    void act(const Node& node, const Node& target, const std::vector<Node>& values, bool updates,
             bool checked) {
        if (node.error() || !is_access(tree_, target)) return;
        const std::string name = spelling(tree_, target);
        if (own_.contains(name)) return;
        Spellings used;
        for (const Node& value : values) used.merge(reads_in(tree_, value));
        if (updates || used.contains(name)) add(node.range(), node, Inference::update);
        if (checked) return;
        for (auto condition = conditions_.rbegin(); condition != conditions_.rend(); ++condition) {
            if (condition->reads.contains(name))
                return add(condition->where, node, Inference::check_then_act);
            if (const auto earlier = condition->earlier.find(name); earlier != condition->earlier.end())
                return add(earlier->second, node, Inference::read_then_write);
        }
        const std::map<std::string, ByteRange> locals = through_locals(used);
        if (const auto earlier = locals.find(name); earlier != locals.end())
            add(earlier->second, node, Inference::read_then_write);
    }

    void add(ByteRange reads, const Node& writes, Inference inference) {
        found_.push_back({places_.of(reads), places_.of(writes.range()), inference});
    }

    const SyntaxTree& tree_;
    const LineColumns& places_;
    std::vector<InferredPiece>& found_;
    std::vector<Node>& bodies_;              ///< that are still to be looked at
    std::vector<Look> conditions_;           ///< that what is visited depends on, the innermost last
    std::map<std::string, Look> locals_;     ///< as they were assigned last, by name
    std::set<std::string, std::less<>> own_; ///< names of memory that belongs to the call
    std::size_t depth_ = 0;
};

} // namespace

LineColumns::LineColumns(const std::string& text) : lines_{0} {
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
        lines_.push_back(static_cast<std::uint32_t>(at + 1));
}

LineColumn LineColumns::at(std::uint32_t byte) const {
    const auto after = std::ranges::upper_bound(lines_, byte);
    return {static_cast<std::uint32_t>(after - lines_.begin()), byte - *std::prev(after) + 1};
}

std::vector<InferredPiece> inferred_pieces(const SyntaxTree& tree) {
    const LineColumns places(tree.text());
    std::vector<InferredPiece> found;
    std::vector<Node> bodies;
    std::vector<Node> open{tree.root()};
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        if (node.is("function_definition") || node.is("lambda_expression")) {
            bodies.push_back(node);
        } else {
            for (const Node& child : node.named_children()) open.push_back(child);
        }
    }
    while (!bodies.empty()) {
        const Node node = bodies.back();
        bodies.pop_back();
        Body(tree, places, found, bodies).take(node);
    }
    std::ranges::sort(found, {}, [](const InferredPiece& piece) {
        return std::tuple(piece.writes.first, piece.reads.first, piece.inference);
    });
    return found;
}

} // namespace heddle::source
