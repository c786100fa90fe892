#include "analysis/source/guards.h"

#include "analysis/source/accesses.h"
#include "analysis/source/declared_names.h"
#include "analysis/source/member_path.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

namespace heddle::source {

namespace {

constexpr std::array<LockCall, 5> kCalls = {{{"pthread_mutex_lock", "pthread_mutex_unlock"},
                                             {"mtx_lock", "mtx_unlock"},
                                             {"pthread_spin_lock", "pthread_spin_unlock"},
                                             {"pthread_rwlock_wrlock", "pthread_rwlock_unlock"},
                                             {".lock", ".unlock"}}};
constexpr std::array<std::string_view, 4> kTypes = {"pthread_mutex_t", "mtx_t", "pthread_spinlock_t",
                                                    "pthread_rwlock_t"}; // of the first

/// Where the arguments of a declaration begin and end, with the brackets: `std::lock_guard guard(mu);` is a
/// function to the parser.
std::optional<ByteRange> arguments_of(const SyntaxTree& tree, const Node& declaration) {
    const Node declarator = declaration.field("declarator");
    const Node list =
        declarator.is("init_declarator") ? declarator.field("value") : declarator.field("parameters");
    if (!list) return std::nullopt;
    const std::string_view text = tree.text(list);
    const bool brackets =
        (text.starts_with('(') && text.ends_with(')')) || (text.starts_with('{') && text.ends_with('}'));
    return brackets ? std::optional(list.range()) : std::nullopt;
}

/// Whether a piece of source has a node of one of the kinds that begins behind a byte.
template<std::size_t N>
bool has_any(const Node& piece, const std::array<std::string_view, N>& kinds, std::uint32_t behind = 0) {
    std::vector<Node> open = {piece};
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        if (node.range().first > behind && std::ranges::find(kinds, node.kind()) != kinds.end()) return true;
        for (const Node& child : node.named_children()) open.push_back(child);
    }
    return false;
}

} // namespace

std::optional<Placed> statement_at(const SyntaxTree& tree, std::uint32_t byte) {
    const std::vector<Node> path = tree.path_to(byte);
    for (std::size_t i = path.size(); i-- > 1;) {
        if (path[i - 1].is("compound_statement") && path[i].named()) return Placed{path[i], path[i - 1]};
    }
    return std::nullopt;
}

bool has_way_out(std::string_view statement) {
    static constexpr std::array<std::string_view, 9> kOut = {"return",  "goto",  "break", "continue", "exit",
                                                             "longjmp", "abort", "throw", "co_return"};
    return std::ranges::any_of(kOut, [&](std::string_view word) { return has_name(statement, word); });
}

namespace {

/// The macros with arguments that a text defines.
std::map<std::string_view, std::string_view> macros_of(const SyntaxTree& tree) {
    std::map<std::string_view, std::string_view> result;
    std::vector<Node> open = {tree.root()};
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        if (node.is("preproc_function_def"))
            result[tree.text(node.field("name"))] = tree.text(node.field("value"));
        for (const Node& child : node.named_children()) {
            if (child.kind().starts_with("preproc")) open.push_back(child);
        }
    }
    return result;
}

} // namespace

bool has_hidden_way_out(const SyntaxTree& tree, const Node& statement,
                        std::span<const SyntaxTree* const> headers) {
    std::map<std::string_view, std::string_view> macros = macros_of(tree);
    for (const SyntaxTree* header : headers) macros.merge(macros_of(*header));
    std::set<std::string_view> called;
    std::vector<Node> open = {statement};
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        const std::string_view function = function_of(tree, node);
        if (macros.contains(function)) called.insert(function);
        if (!macros.contains(function) && is_shouted(function)) return true;
        for (const Node& child : node.named_children()) open.push_back(child);
    }
    for (std::size_t known = 0; known != called.size();) { // and by those that these call
        known = called.size();
        for (const auto& [name, value] : macros) {
            if (std::ranges::any_of(std::set(called),
                                    [&](std::string_view one) { return has_name(macros.at(one), name); }))
                called.insert(name);
        }
    }
    return std::ranges::any_of(called, [&](std::string_view one) { return has_way_out(macros.at(one)); });
}

bool may_throw(const Node& statement) {
    static constexpr std::array<std::string_view, 4> kThrowing = {"call_expression", "new_expression",
                                                                  "throw_statement", "co_await_expression"};
    return has_any(statement, kThrowing);
}

bool has_label_behind(const Node& block, std::uint32_t byte) {
    static constexpr std::array<std::string_view, 1> kLabels = {"labeled_statement"};
    return has_any(block, kLabels, byte);
}

bool is_guard(const SyntaxTree& tree, const Node& statement) {
    if (!statement.is("declaration")) return false;
    const std::string_view type = tree.text(statement.field("type"));
    return has_name(type, "lock_guard") || has_name(type, "scoped_lock") || has_name(type, "unique_lock");
}

std::optional<Guard> guard_of(const SyntaxTree& tree, const Node& statement) {
    return is_guard(tree, statement) ? declared_with_one(tree, statement) : std::nullopt;
}

std::optional<Guard> declared_with_one(const SyntaxTree& tree, const Node& statement) {
    const auto arguments = statement.is("declaration") ? arguments_of(tree, statement) : std::nullopt;
    if (!arguments) return std::nullopt;
    const Node name = statement.field("declarator").field("declarator");
    ByteRange lock{arguments->first + 1, arguments->end - 1};
    if (tree.text(lock).starts_with('&')) ++lock.first;
    const std::string_view text = tree.text(lock);
    if (!name.is("identifier") || text.empty() || text.find(',') != std::string_view::npos)
        return std::nullopt;
    return Guard{name.range(), lock};
}

namespace {

std::optional<CalledLock> called_lock(const SyntaxTree& tree, const Node& call) {
    const std::vector<Node> arguments = call.field("arguments").named_children();
    const std::string method = "." + std::string(method_of(tree, call));
    for (const LockCall& one : kCalls) {
        const bool member = one.lock.starts_with('.');
        const std::string_view called = member ? std::string_view(method) : function_of(tree, call);
        if ((called != one.lock && called != one.unlock) || arguments.size() != (member ? 0U : 1U)) continue;
        const Node lock =
            member ? call.field("function").field("argument") : referred(tree, arguments.front());
        // A pointer to a lock: `p->lock()`, `pthread_mutex_lock(p)`.
        const bool address =
            member ? tree.text(call.field("function")).substr(tree.text(lock).size()).starts_with('.')
                   : tree.text(arguments.front()).starts_with('&');
        if (!address) return std::nullopt;
        return CalledLock{one, called == one.lock, lock.range()};
    }
    return std::nullopt;
}

} // namespace

std::optional<CalledLock> lock_call(const SyntaxTree& tree, const Node& statement) {
    const std::vector<Node> parts =
        statement.is("expression_statement") ? statement.named_children() : std::vector<Node>();
    if (parts.size() != 1 || !parts.front().is("call_expression")) return std::nullopt;
    return called_lock(tree, parts.front());
}

std::optional<CalledLock> lock_call_around(const SyntaxTree& tree, ByteRange lock) {
    const std::vector<Node> path = tree.path_to(lock.first);
    const auto call = std::ranges::find_if(path.rbegin(), path.rend(), [&](const Node& node) {
        return node.is("call_expression") && node.range().contains(lock);
    });
    return call == path.rend() ? std::nullopt : called_lock(tree, *call);
}

std::optional<LockCall> lock_calls_for(std::string_view type) {
    for (std::size_t i = 0; i < kTypes.size(); ++i) {
        if (kTypes.at(i) == type) return kCalls.at(i);
    }
    return std::nullopt;
}

std::string call_text(std::string_view function, std::string_view lock) {
    if (function.starts_with('.')) return std::string(lock) + std::string(function) + "();";
    return std::string(function) + "(&" + std::string(lock) + ");";
}

} // namespace heddle::source
