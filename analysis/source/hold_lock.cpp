#include "analysis/source/hold_lock.h"

#include "analysis/source/functions.h"
#include "analysis/source/member_path.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace heddle::source {

namespace {

/// A statement, and the block that it is directly in.
struct Placed {
    Node statement;
    Node block;
};

/// The innermost statement of a block around a byte.
std::optional<Placed> statement_at(const SyntaxTree& tree, std::uint32_t byte) {
    const std::vector<Node> path = tree.path_to(byte);
    for (std::size_t i = path.size(); i-- > 1;) {
        if (path[i - 1].is("compound_statement") && path[i].named()) return Placed{path[i], path[i - 1]};
    }
    return std::nullopt;
}

std::string indentation_of(const SyntaxTree& tree, std::uint32_t byte) {
    const std::string& text = tree.text();
    const std::size_t newline = byte == 0 ? std::string::npos : text.rfind('\n', byte - 1);
    const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
    std::size_t end = begin;
    while (end < byte && (text[end] == ' ' || text[end] == '\t')) ++end;
    return text.substr(begin, end - begin);
}

/// Whether a declaration outside of functions and classes, before the byte, has the name.
bool is_global(const SyntaxTree& tree, std::string_view name, std::uint32_t before) {
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

/// What the lock is called here; nothing when that cannot be told.
std::optional<std::string> lock_here(const SyntaxTree& tree, const LockHabit& habit, ByteRange access) {
    const std::string_view lock = tree.text(habit.lock);
    const MemberPath there = member_path(lock);
    const MemberPath guarded = member_path(tree.text(habit.access));
    const MemberPath here = member_path(tree.text(access));
    if (!there.object.empty()) {
        if (there.object == guarded.object) return std::string(here.object) + std::string(there.member);
        // A lock of some other object: the same one if that is known everywhere.
        if (is_global(tree, first_name(lock), access.first)) return std::string(lock);
        return std::nullopt;
    }
    if (is_global(tree, lock, access.first)) return std::string(lock);
    // A member of the object whose function it is.
    const std::string owner = class_around(tree, habit.lock.first);
    if (owner.empty() || !guarded.object.empty()) return std::nullopt;
    if (!here.object.empty()) return std::string(here.object) + std::string(lock);
    if (owner == class_around(tree, access.first)) return std::string(lock);
    return std::nullopt;
}

/// Whether the lock that is written so can be taken in the function: not one of a const object.
bool can_be_taken(const SyntaxTree& tree, const Function& function, std::string_view lock,
                  std::uint32_t access) {
    const MemberPath path = member_path(lock);
    if (is_mutable(tree, path.member)) return true;
    const bool own = path.object.empty() || path.object == "this->";
    if (own && !is_global(tree, lock, access)) return !is_in_const_function(tree, function);
    for (const Node& node : tree.path_to(access)) {
        if (node.is("function_definition") && is_declared_const(tree, node, first_name(lock))) return false;
    }
    return true;
}

/// A call in C: its name, and what undoes it.
struct LockCall {
    std::string_view lock;
    std::string_view unlock;
};
constexpr std::array<LockCall, 2> kCalls = {
    {{"pthread_mutex_lock", "pthread_mutex_unlock"}, {"mtx_lock", "mtx_unlock"}}};

bool has_way_out(const SyntaxTree& tree, const Node& statement) {
    static constexpr std::array<std::string_view, 7> kOut = {"return", "goto",    "break", "continue",
                                                             "exit",   "longjmp", "abort"};
    const std::string_view text = tree.text(statement);
    return std::ranges::any_of(kOut, [&](std::string_view word) { return has_name(text, word); });
}

std::optional<HeldLock> by_calls(const SyntaxTree& tree, const LockCall& call, std::string lock,
                                 const Placed& place) {
    const bool simple = place.statement.is("expression_statement") || place.statement.is("declaration");
    if (!simple || has_way_out(tree, place.statement)) return std::nullopt;
    const ByteRange range = place.statement.range();
    const std::string indentation = indentation_of(tree, range.first);
    HeldLock result{.lock = std::move(lock), .edits = {}, .held = range};
    const auto line = [&](std::string_view function) {
        return std::string(function) + "(&" + result.lock + ");";
    };
    result.edits.push_back({range.first, line(call.lock) + "\n" + indentation});
    result.edits.push_back({range.end, "\n" + indentation + line(call.unlock)});
    return result;
}

/// The declaration of a guard with another lock, and a name that is free in the function.
std::optional<std::string> guard_declaration(const SyntaxTree& tree, const Node& declaration,
                                             const LockHabit& habit, std::string_view lock,
                                             std::string_view function_text) {
    const ByteRange whole = declaration.range();
    const std::string_view before = tree.text({whole.first, habit.lock.first});
    const std::string_view after = tree.text({habit.lock.end, whole.end});
    const std::size_t bracket = before.find_last_not_of(" \t");
    if (bracket == std::string_view::npos || (before[bracket] != '(' && before[bracket] != '{'))
        return std::nullopt; // not its only, or not its first argument
    if (after != ");" && after != "};") return std::nullopt;
    const std::string_view head = before.substr(0, bracket);
    const std::size_t name_at = head.find_last_of(" \t>") + 1;
    std::string name(head.substr(name_at));
    if (name_at == 0 || name.empty() || first_name(name) != name) return std::nullopt;
    while (has_name(function_text, name)) name += '_';
    return std::string(head.substr(0, name_at)) + name + std::string(before.substr(bracket)) +
           std::string(lock) + std::string(after);
}

std::optional<HeldLock> by_guard(const SyntaxTree& tree, const Node& declaration, const LockHabit& habit,
                                 std::string lock, const Placed& place, const Function& function) {
    if (place.statement.is("case_statement") || place.statement.is("labeled_statement")) return std::nullopt;
    const auto text = guard_declaration(tree, declaration, habit, lock, tree.text(function.range));
    if (!text) return std::nullopt;
    const std::uint32_t at = place.statement.range().first;
    return HeldLock{.lock = std::move(lock),
                    .edits = {{at, *text + "\n" + indentation_of(tree, at)}},
                    .held = {at, place.block.range().end}};
}

bool is_guard(std::string_view declaration) {
    return has_name(declaration, "lock_guard") || has_name(declaration, "scoped_lock") ||
           has_name(declaration, "unique_lock");
}

} // namespace

std::optional<HeldLock> hold_lock(const SyntaxTree& tree, const LockHabit& habit, ByteRange access) {
    const auto function = enclosing_function(tree, access.first);
    const auto place = statement_at(tree, access.first);
    const auto taken = statement_at(tree, habit.lock.first);
    if (!function || !place || !taken || place->statement.error()) return std::nullopt;
    auto lock = lock_here(tree, habit, access);
    if (!lock || !can_be_taken(tree, *function, *lock, access.first)) return std::nullopt;
    if (taken->statement.is("declaration") && is_guard(tree.text(taken->statement)))
        return by_guard(tree, taken->statement, habit, std::move(*lock), *place, *function);
    for (const LockCall& call : kCalls) {
        const std::string_view text = tree.text(taken->statement);
        if (taken->statement.is("expression_statement") && text.starts_with(std::string(call.lock) + "("))
            return by_calls(tree, call, std::move(*lock), *place);
    }
    return std::nullopt;
}

} // namespace heddle::source
