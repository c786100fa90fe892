#include "analysis/source/hold_lock.h"

#include "analysis/source/declared_names.h"
#include "analysis/source/functions.h"
#include "analysis/source/guards.h"
#include "analysis/source/member_path.h"
#include "analysis/source/variable_declarations.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace heddle::source {

namespace {

/// Whether a declaration outside of functions and classes, before the byte, has the name.
bool is_declared_before(const SyntaxTree& tree, std::string_view name, std::uint32_t before) {
    std::vector<Node> scopes = {tree.root()};
    while (!scopes.empty()) {
        const Node scope = scopes.back();
        scopes.pop_back();
        for (const Node& child : scope.named_children()) {
            if (child.range().first >= before) break;
            if (child.is("declaration") && has_name(tree.text(child), name)) return true;
            if (child.is("namespace_definition") || child.is("declaration_list") ||
                child.is("linkage_specification"))
                scopes.push_back(child);
        }
    }
    return false;
}

/// The class that a function is a member of: where it is defined, or `Account` of `Account::total`.
std::string class_around(const SyntaxTree& tree, std::uint32_t byte) {
    for (const Node& node : tree.path_to(byte)) {
        if (node.is("class_specifier") || node.is("struct_specifier"))
            return std::string(tree.text(node.field("name")));
    }
    const auto function = enclosing_function(tree, byte);
    if (!function) return {};
    const std::size_t colons = function->name.rfind("::");
    return colons == std::string::npos ? std::string() : function->name.substr(0, colons);
}

bool is_in_const_function(const SyntaxTree& tree, const Function& function) {
    const std::string_view head = tree.text({function.range.first, function.body.first});
    return has_name(head.substr(std::min(head.rfind(')'), head.size())), "const");
}

/// `mutable std::mutex mutex;`
bool is_mutable(const SyntaxTree& tree, std::string_view member) {
    const std::string_view text = tree.text();
    for (std::size_t at = text.find("mutable"); at != std::string_view::npos;
         at = text.find("mutable", at + 1)) {
        if (has_name(text.substr(at, text.find(';', at) - at), member)) return true;
    }
    return false;
}

/// Whether a parameter or local variable of that name is declared with const: its lock cannot be taken.
bool is_declared_const(const SyntaxTree& tree, const Node& scope, std::string_view name) {
    std::vector<Node> open = {scope};
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        if (node.is("parameter_declaration") || node.is("declaration") || node.is("for_range_loop")) {
            const std::string_view text = tree.text(node);
            const std::string_view head = text.substr(0, text.find_first_of("=:{"));
            if (has_name(head, name) && has_name(head, "const")) return true;
        }
        for (const Node& child : node.named_children()) open.push_back(child);
    }
    return false;
}

/// The text that is edited, and those whose declarations it can name.
class Here {
  public:
    Here(const SyntaxTree& tree, ByteRange access, std::span<const SyntaxTree* const> headers)
        : tree_(tree), access_(access), headers_(headers) {}

    /// What the lock is called here; nothing when that cannot be told.
    [[nodiscard]] std::optional<std::string> lock(const LockHabit& habit) const {
        const std::string_view lock = habit.tree.text(habit.lock);
        const MemberPath there = member_path(lock);
        if (is_global(first_name(lock))) return std::string(lock);
        if (!habit.access) return std::nullopt;
        const MemberPath guarded = member_path(habit.tree.text(*habit.access));
        const MemberPath here = member_path(tree_.text(access_));
        if (!there.object.empty()) {
            if (there.object != guarded.object) return std::nullopt;
            return std::string(here.object) + std::string(there.member);
        }
        // A member of the object whose function it is.
        const std::string owner = class_around(habit.tree, habit.lock.first);
        if (owner.empty() || !guarded.object.empty()) return std::nullopt;
        if (!here.object.empty()) return std::string(here.object) + std::string(lock);
        if (owner == class_around(tree_, access_.first)) return std::string(lock);
        return std::nullopt;
    }

    /// Whether the lock that is written so can be taken in the function: not one of a const object.
    [[nodiscard]] bool can_be_taken(const Function& function, std::string_view lock) const {
        const MemberPath path = member_path(lock);
        const auto is_mutable_in = [&](const SyntaxTree* text) { return is_mutable(*text, path.member); };
        if (is_mutable_in(&tree_) || std::ranges::any_of(headers_, is_mutable_in)) return true;
        const bool own = path.object.empty() || path.object == "this->";
        if (own && !is_global(lock)) return !is_in_const_function(tree_, function);
        for (const Node& node : tree_.path_to(access_.first)) {
            if (node.is("function_definition") && is_declared_const(tree_, node, first_name(lock)))
                return false;
        }
        return true;
    }

    /// "std::mutex", where the texts show that the lock is one, or another that a guard takes.
    [[nodiscard]] std::optional<std::string> mutex_type(std::string_view lock) const {
        const std::string_view name = member_path(lock).member;
        std::optional<std::string> type = mutex_type_in(tree_, name);
        for (const SyntaxTree* header : headers_) {
            if (!type) type = mutex_type_in(*header, name);
        }
        return type;
    }

  private:
    /// Not one that a local variable hides.
    [[nodiscard]] bool is_global(std::string_view name) const {
        if (local_declaration(tree_, tree_.path_to(access_.first), name)) return false;
        return is_declared_before(tree_, name, access_.first) ||
               std::ranges::any_of(headers_, [&](const SyntaxTree* header) {
                   return is_declared_before(*header, name, header->root().range().end);
               });
    }

    [[nodiscard]] static std::optional<std::string> mutex_type_in(const SyntaxTree& tree,
                                                                  std::string_view name) {
        static constexpr std::array<std::string_view, 4> kTypes = {"std::mutex", "std::recursive_mutex",
                                                                   "std::timed_mutex", "std::shared_mutex"};
        std::optional<std::string> type;
        for (const VariableDeclaration& one : variable_declarations(tree, name)) {
            const std::string_view text = tree.text(one.declaration.field("type"));
            if (std::ranges::find(kTypes, text) == kTypes.end()) return std::nullopt;
            type = text;
        }
        return type;
    }

    const SyntaxTree& tree_;
    ByteRange access_;
    std::span<const SyntaxTree* const> headers_;
};

/// A name that the function does not use yet.
std::string free_name(std::string name, std::string_view function) {
    while (has_name(function, name)) name += '_';
    return name;
}

class Edit {
  public:
    Edit(const SyntaxTree& tree, const Placed& place, const Function& function, std::string lock)
        : tree_(tree), place_(place), function_(function), lock_(std::move(lock)) {}

    /// A guard before the statement, until the end of its block.
    [[nodiscard]] std::optional<HeldLock> by_guard(std::string_view declaration) const {
        if (place_.statement.is("case_statement") || place_.statement.is("labeled_statement"))
            return std::nullopt;
        const std::uint32_t at = place_.statement.range().first;
        return HeldLock{.lock = lock_,
                        .edits = {{{at, at}, std::string(declaration) + separator()}},
                        .held = {at, place_.block.range().end}};
    }

    /// A call before the statement, and one behind it.
    [[nodiscard]] std::optional<HeldLock> by_calls(const LockCall& call) const {
        const Node& statement = place_.statement;
        const ByteRange range = statement.range();
        HeldLock result{.lock = lock_, .edits = {}, .held = range};
        const std::string before = call_text(call.lock, lock_) + separator();
        const std::string after = separator() + call_text(call.unlock, lock_);
        if (statement.is("return_statement")) return returning(before, after, std::move(result));
        if (!statement.is("expression_statement") && !statement.is("declaration")) return std::nullopt;
        if (has_way_out(tree_.text(statement))) return std::nullopt;
        result.edits = {{{range.first, range.first}, before}, {{range.end, range.end}, after}};
        return result;
    }

    /// The declaration of a guard, for a lock that other places take in another way.
    [[nodiscard]] std::string new_guard(const std::string& mutex) const {
        return "const std::lock_guard<" + mutex + "> " + free_name("lock", tree_.text(function_.range)) +
               "(" + lock_ + ");";
    }

    /// A guard as it is declared elsewhere, with another lock, and a name that is free in the function.
    [[nodiscard]] std::optional<std::string> copied_guard(const SyntaxTree& other,
                                                          const Node& declaration) const {
        const auto guard = guard_of(other, declaration);
        if (!guard) return std::nullopt;
        const std::uint32_t end = declaration.range().end;
        return std::string(other.text({declaration.range().first, guard->name.first})) +
               free_name(std::string(other.text(guard->name)), tree_.text(function_.range)) +
               std::string(other.text({guard->name.end, guard->lock.first})) + lock_ +
               std::string(other.text({guard->lock.end, end}));
    }

  private:
    /// To the next statement: on a line of its own, unless several share one.
    [[nodiscard]] std::string separator() const {
        const std::string_view text = tree_.text();
        const std::uint32_t at = place_.statement.range().first;
        const std::string_view indentation = indentation_at(text, at);
        const bool alone = at == indentation.size() || text[at - indentation.size() - 1] == '\n';
        return alone ? std::string(line_end_of(text)) + std::string(indentation) : " ";
    }

    /// What is returned is read with the lock, and given back without it.
    [[nodiscard]] std::optional<HeldLock> returning(const std::string& before, const std::string& after,
                                                    HeldLock result) const {
        const std::vector<Node> value = place_.statement.named_children();
        const std::string type(tree_.text(function_.node.field("type")));
        const bool plain = function_.node.field("declarator").is("function_declarator");
        if (value.size() != 1 || !plain || scalar_of(type) == Scalar::none) return std::nullopt;
        for (const Node& node : tree_.path_to(place_.statement.range().first)) {
            if (node.is("lambda_expression")) return std::nullopt;
        }
        const std::string name = free_name("result", tree_.text(function_.range));
        const ByteRange range = place_.statement.range();
        result.edits = {
            {{range.first, value.front().range().first}, before + "const " + type + " " + name + " = "},
            {{range.end, range.end}, after + separator() + "return " + name + ";"}};
        return result;
    }

    const SyntaxTree& tree_;
    const Placed& place_;
    const Function& function_;
    std::string lock_;
};

} // namespace

std::optional<HeldLock> hold_lock(const SyntaxTree& tree, ByteRange access, const LockHabit& habit,
                                  std::span<const SyntaxTree* const> headers) {
    const auto function = enclosing_function(tree, access.first);
    const auto place = statement_at(tree, access.first);
    const auto taken = statement_at(habit.tree, habit.lock.first);
    if (!function || !place || !taken || place->statement.error()) return std::nullopt;
    const Here here(tree, access, headers);
    const auto lock = here.lock(habit);
    if (!lock || !here.can_be_taken(*function, *lock)) return std::nullopt;
    const Edit edit(tree, *place, *function, *lock);
    if (is_guard(habit.tree, taken->statement)) {
        const auto copied = edit.copied_guard(habit.tree, taken->statement);
        // What another text may leave out, `using namespace std`, this one may not.
        const bool same = &habit.tree == &tree || (copied && copied->find("std::") != std::string::npos);
        if (copied && same) return edit.by_guard(*copied);
    }
    if (tree.language() == Language::cpp) {
        if (const auto mutex = here.mutex_type(*lock)) return edit.by_guard(edit.new_guard(*mutex));
    }
    const auto call = lock_call(habit.tree, taken->statement);
    return call && call->locks ? edit.by_calls(call->call) : std::nullopt;
}

} // namespace heddle::source
