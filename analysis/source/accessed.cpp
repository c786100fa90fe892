#include "analysis/source/accessed.h"

#include "analysis/source/accesses.h"
#include "analysis/source/declared_names.h"
#include "analysis/source/member_path.h"
#include "analysis/source/object_name.h"
#include "analysis/source/own_values.h"
#include "analysis/source/variable_declarations.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace heddle::source {

namespace {

constexpr std::array<std::string_view, 14> kAtomicMethods = {"load",
                                                             "store",
                                                             "exchange",
                                                             "compare_exchange_weak",
                                                             "compare_exchange_strong",
                                                             "fetch_add",
                                                             "fetch_sub",
                                                             "fetch_or",
                                                             "fetch_and",
                                                             "fetch_xor",
                                                             "wait",
                                                             "clear",
                                                             "test",
                                                             "test_and_set"};

bool is_atomic_function(std::string_view name) {
    return name.starts_with("atomic_") || name.starts_with("__atomic_") || name.starts_with("__sync_");
}

/// `x` of `x.load()` and of `atomic_load(&x)`.
Node atomic_operand(const SyntaxTree& tree, const Node& call) {
    if (std::ranges::find(kAtomicMethods, method_of(tree, call)) != kAtomicMethods.end())
        return call.field("function").field("argument");
    if (!is_atomic_function(function_of(tree, call))) return {};
    const std::vector<Node> arguments = call.field("arguments").named_children();
    return arguments.empty() ? Node() : referred(tree, arguments.front());
}

/// The name that is declared: `x` of `int *x[3]`.
Node declared(Node declarator) {
    while (declarator && !declarator.is("identifier") && !declarator.is("field_identifier") &&
           !declarator.is("structured_binding_declarator")) {
        Node inner = declarator.field("declarator");
        if (!inner) {
            for (const Node& child : declarator.named_children()) inner = child;
        }
        declarator = inner;
    }
    return declarator;
}

class Choice {
  public:
    Choice(const SyntaxTree& tree, const std::vector<Node>& path, const std::set<std::string_view>& constants,
           const Place& place)
        : tree_(tree), path_(path), constants_(constants), operation_(place.operation), name_(place.name) {}

    std::optional<Expression> among(const std::vector<Node>& pointed) {
        const auto found = choose(pointed);
        careful_ = found ? may_be_elsewhere(*found) : name_.on_heap();
        if (!careful_) return found;
        const auto other = choose(pointed);
        return found && !other ? line_of(found->range) : other;
    }

  private:
    /// Whether what has been found is a name alone that another one is wanted for, or an operation on such:
    /// only then what names are declared as is looked for, which takes as long as all else.
    [[nodiscard]] bool may_be_elsewhere(const Expression& found) const {
        const std::string_view text = tree_.text(found.range);
        if (!name_.known() && !name_.on_heap())
            return found.exact ? constants_.contains(text) : !constants_.empty();
        return found.exact ? first_name(text) == text && text != name_.last() : !text.ends_with(')');
    }

    [[nodiscard]] std::optional<Expression> choose(const std::vector<Node>& pointed) const {
        if (const Node binding = bound_by_loop()) return Expression{binding.range(), true};
        std::optional<Node> direct;
        std::size_t end = 0; // of those that could be meant
        while (end < pointed.size()) {
            if (direct && is_beyond(pointed[end], *direct)) break;
            const Node candidate = by_location(pointed[end++]);
            if (!candidate || is_elsewhere(candidate)) continue;
            const NameMatch match = is_in_named(candidate) ? NameMatch::exact : name_.match(tree_, candidate);
            if (name_.known() && match == NameMatch::exact) return Expression{candidate.range(), true};
            if (!direct || (!name_.known() && is_base(candidate, *direct))) direct = candidate;
            // What is behind a pointer may have any name: nothing wider is meant.
            if (name_.known() && match == NameMatch::pointed) break;
        }
        if (end == 0) return std::nullopt;
        if (!name_.known() && direct) {
            const Node compared =
                is_qualified_constant(pointed[end - 1]) ? pointed[end - 1].field("left") : Node();
            return Expression{(is_access(tree_, compared) ? compared : *direct).range(), true};
        }
        const std::vector<Access> all = accesses_in(tree_, pointed[end - 1]);
        for (const NameMatch wanted : {NameMatch::exact, NameMatch::part}) {
            if (!name_.known() || (wanted == NameMatch::part && direct && keeps(*direct))) break;
            for (std::size_t i = 0; i < end; ++i) {
                const Node found = by_name(all, pointed[i], wanted);
                if (!found) continue;
                // Which of `a.x` and `b.x` a call takes is told by what is called.
                const bool call = pointed[i].is("call_expression");
                if ((!call && !pointed[i].is("argument_list")) || is_only(all, pointed[i], found, wanted))
                    return Expression{found.range(), true};
                if (call) return Expression{pointed[i].range(), false};
            }
        }
        const auto found =
            direct ? std::optional(Expression{direct->range(), true}) : otherwise(all, pointed);
        return found && is_moved(all, *found, direct.has_value()) ? line_of(found->range) : found;
    }

    [[nodiscard]] bool reads() const { return operation_ != Operation::write; }
    [[nodiscard]] bool writes() const { return operation_ != Operation::read; }
    [[nodiscard]] bool fits(const Access& access) const {
        return (reads() && access.read) || (writes() && access.written);
    }

    /// `queue[1].number`, where the memory is only known to be in `queue[1]`.
    [[nodiscard]] bool is_in_named(const Node& whole) const {
        Node part = whole;
        while (part.is("field_expression")) {
            const std::uint32_t end = part.field("argument").range().end;
            if (tree_.text({end, part.field("field").range().first}).find('.') == std::string_view::npos)
                break;
            part = part.field("argument");
            if (name_.match(tree_, part) == NameMatch::exact)
                return name_.match(tree_, whole) == NameMatch::none;
        }
        return false;
    }

    /// `score` of `for (auto& [id, score] : rows)`: GCC points at `rows` wherever the loop reads it.
    [[nodiscard]] Node bound_by_loop() const {
        if (!name_.known()) return {};
        const auto loop = std::ranges::find_if(path_.rbegin(), path_.rend(), [&](const Node& node) {
            return node.is("for_range_loop") && node.field("right").range().contains(path_.back().range());
        });
        if (loop == path_.rend()) return {};
        for (const Node& name : declared(loop->field("declarator")).named_children()) {
            if (name_.match(tree_, name) == NameMatch::exact) return name;
        }
        return {};
    }

    /// Whether `whole` is a comparison, or the like, of something with a reference: that may be to any
    /// memory.
    [[nodiscard]] bool is_beyond(const Node& whole, const Node& direct) const {
        if (!whole.is("binary_expression") || direct.range().first == whole.range().first) return false;
        const std::vector<Node> path = tree_.path_to(direct.range().first);
        const Node declared = local_declaration(tree_, path, tree_.text(direct));
        if (!declared) return false;
        const std::string_view written = tree_.text(declared);
        return written.substr(0, written.find('=')).find_first_of("&[") != std::string_view::npos;
    }

    /// `state == State::closed`: what has such a name and is memory has a name for debuggers, too.
    [[nodiscard]] static bool is_qualified_constant(const Node& whole) {
        return whole.is("binary_expression") && whole.field("right").is("qualified_identifier");
    }

    /// Whether an expression is another access, near which the compiler has put this one. A reference may go
    /// by any name: where C++ points at it, it is meant.
    [[nodiscard]] bool is_moved(const std::vector<Access>& all, const Expression& found, bool pointed) const {
        if (!found.exact || (pointed && tree_.language() == Language::cpp)) return false;
        return std::ranges::any_of(all, [&](const Access& access) {
            return access.node.range() == found.range && name_.is_other_member(tree_, access.node);
        });
    }

    [[nodiscard]] Expression line_of(ByteRange found) const {
        const std::string_view text = tree_.text();
        const std::size_t first =
            text.find_first_not_of(" \t", text.rfind('\n', found.first) + 1); // npos + 1 is 0
        const std::size_t end = std::min(text.find('\n', found.first), text.size());
        const std::size_t last = text.find_last_not_of(" \t\r", end - 1);
        return {{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last + 1)}, false};
    }

    /// `whole` fetches from behind what `part` names: `cells[i]` and `cells`, and `it->second` and `it` where
    /// that is no memory of the heap.
    [[nodiscard]] bool is_base(const Node& whole, const Node& part) const {
        if (whole.field("argument") != part) return false;
        if (whole.is("subscript_expression")) return true;
        return whole.is("field_expression") && name_.on_heap() && part.is("identifier") &&
               own_value(tree_, path_, tree_.text(part)) != OwnValue::no;
    }

    /// Whether an expression is a constant, or a number or pointer of the function itself, and the memory
    /// something else.
    [[nodiscard]] bool is_elsewhere(const Node& expression) const {
        if (!careful_ || !expression.is("identifier")) return false;
        if (name_.known() && name_.match(tree_, expression) != NameMatch::none) return false;
        const std::string_view name = tree_.text(expression);
        if (constants_.contains(name)) return !local_declaration(tree_, path_, name);
        if (!name_.known() && !name_.on_heap()) return false;
        return is_compared_constant(expression) || own_value(tree_, path_, name) == OwnValue::scalar;
    }

    /// `DONE` of `job->state == DONE`, that some header has.
    [[nodiscard]] bool is_compared_constant(const Node& expression) const {
        return is_shouted(tree_.text(expression)) && std::ranges::any_of(path_, [&](const Node& node) {
                   return node.is("binary_expression") && node.field("right") == expression;
               });
    }

    /// What is accessed there is better told by its own expression than by the whole it is a part of.
    [[nodiscard]] bool keeps(const Node& direct) const {
        return name_.match(tree_, direct) != NameMatch::none;
    }

    /// What is accessed when the compiler points at this node itself.
    [[nodiscard]] Node by_location(const Node& node) const {
        const std::string_view kind = node.kind();
        if (kind == "field_identifier" || kind == "namespace_identifier") return {};
        if (is_access(tree_, node)) return node;
        if (kind == "assignment_expression") {
            const bool target = writes() || !node.field("operator").is("=");
            return target ? unwrapped(node.field("left")) : Node();
        }
        if (kind == "update_expression") return unwrapped(node.field("argument"));
        if (kind == "call_expression") return atomic_operand(tree_, node);
        if (kind == "init_declarator") return initialised(node.field("declarator"), node.field("value"));
        if (kind == "field_declaration")
            return initialised(node.field("declarator"), node.field("default_value"));
        if (kind == "initializer_pair") {
            const std::vector<Node> field = node.field("designator").named_children();
            return initialised(field.empty() ? Node() : field.front(), node.field("value"));
        }
        if (kind == "lambda_capture_initializer") return initialised(node.field("left"), node.field("right"));
        if (kind == "field_initializer") {
            const std::vector<Node> parts = node.named_children();
            return parts.empty() ? Node() : initialised(parts.front(), Node());
        }
        return {};
    }

    /// Initialising writes what is declared, and reads the value if that is no more than an access.
    [[nodiscard]] Node initialised(const Node& declarator, const Node& value) const {
        if (operation_ == Operation::write) return declared(declarator);
        const Node read = unwrapped(value);
        return is_access(tree_, read) ? read : Node();
    }

    /// The first expression in the node that has the name, and is used so.
    [[nodiscard]] Node by_name(const std::vector<Access>& all, const Node& node, NameMatch wanted) const {
        for (const Access& access : all) {
            if (fits(access) && node.range().contains(access.node.range()) &&
                name_.match(tree_, access.node) == wanted)
                return access.node;
        }
        return {};
    }

    /// Whether all in the node that have the name are written the same way.
    [[nodiscard]] bool is_only(const std::vector<Access>& all, const Node& node, const Node& found,
                               NameMatch wanted) const {
        return std::ranges::all_of(all, [&](const Access& access) {
            return !fits(access) || !node.range().contains(access.node.range()) ||
                   name_.match(tree_, access.node) != wanted || tree_.text(access.node) == tree_.text(found);
        });
    }

    /// Nothing points at an access: the only one there is, or the call or macro that has it somewhere.
    [[nodiscard]] std::optional<Expression> otherwise(std::vector<Access> all,
                                                      const std::vector<Node>& pointed) const {
        const auto moved =
            std::erase_if(all, [this](const Access& access) { return is_elsewhere(access.node); });
        const bool moved_here = moved > 0 && all.empty();
        std::erase_if(all, [this](const Access& access) { return !fits(access); });
        for (const Node& node : pointed) {
            if (node.is("call_expression")) return Expression{node.range(), false};
            if (!node.named() || node.kind().ends_with("_list")) continue;
            // The first of those in the node is an outer one: the others are in it, or beside it.
            const auto in_node = [&](const Access& access) {
                return node.range().contains(access.node.range());
            };
            const auto first = std::ranges::find_if(all, in_node);
            if (first != all.end() && std::ranges::all_of(all, [&](const Access& access) {
                    return !in_node(access) || first->node.range().contains(access.node.range());
                }))
                return Expression{first->node.range(), true};
            if (node.kind().ends_with("_expression"))
                return moved_here ? line_of(node.range()) : Expression{node.range(), false};
        }
        return moved_here ? std::optional(line_of(pointed.front().range())) : std::nullopt;
    }

    const SyntaxTree& tree_;
    const std::vector<Node>& path_; ///< to the place
    const std::set<std::string_view>& constants_;
    Operation operation_;
    ObjectName name_;
    bool careful_ = false; ///< about names that cannot be of the memory
};

/// A function's name is no variable: who points at it means the call.
bool is_callee(const Node& node, const Node& call) {
    const Node called = call.field("function");
    if (called.is("field_expression")) return node == called || node == called.field("field");
    return !called.is("call_expression") && called.range().contains(node.range());
}

/// Nor is the name that a declaration gives to what it reads.
bool is_declared(const Node& node, const Node& declaration) {
    return declaration.field("declarator").range().contains(node.range());
}

/// Only what can be an access itself, or have one.
std::vector<Node> without_mere_names(const std::vector<Node>& pointed, Operation operation) {
    std::vector<Node> result;
    for (const Node& node : pointed) {
        if (std::ranges::none_of(pointed, [&](const Node& outer) {
                return (outer.is("call_expression") && is_callee(node, outer)) ||
                       (operation == Operation::read && is_declared(node, outer) &&
                        (outer.is("init_declarator") || outer.is("function_declarator")));
            }))
            result.push_back(node);
    }
    return result;
}

} // namespace

std::optional<Expression> accessed(const SyntaxTree& tree, const std::vector<Node>& path,
                                   const std::vector<Node>& pointed,
                                   const std::set<std::string_view>& constants, const Place& place) {
    return Choice(tree, path, constants, place).among(without_mere_names(pointed, place.operation));
}

} // namespace heddle::source
