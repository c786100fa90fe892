#include "analysis/source/lock_expressions.h"

#include "analysis/source/accesses.h"
#include "analysis/source/member_path.h"
#include "analysis/source/object_name.h"
#include "analysis/source/variable_declarations.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace heddle::source {

namespace {

/// Arguments of guards that are no locks.
constexpr std::array<std::string_view, 3> kTags = {"defer_lock", "adopt_lock", "try_to_lock"};
constexpr std::array<std::string_view, 6> kLockPrefixes = {
    "pthread_mutex_", "pthread_rwlock_", "pthread_spin_", "mtx_", "sem_", "pthread_barrier_"};
constexpr std::array<std::string_view, 4> kGuards = {"lock_guard", "scoped_lock", "unique_lock",
                                                     "shared_lock"};

template<std::size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& list) {
    return std::ranges::find(list, text) != list.end();
}

bool is_tag(std::string_view argument) {
    return is_one_of(argument.substr(argument.find_last_of(':') + 1), kTags);
}

/// `pthread_cond_wait(&cond, &mutex)`, `cnd_wait(&cond, &mutex)`.
bool is_condition_function(std::string_view name) {
    return name.starts_with("pthread_cond_") || name.starts_with("cnd_");
}

bool is_lock_function(std::string_view name) {
    return std::ranges::any_of(kLockPrefixes,
                               [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool is_locking_method(std::string_view name) {
    return name.starts_with("lock") || name.starts_with("unlock") || name.starts_with("try_lock");
}

bool is_signal_method(std::string_view name) {
    return name.starts_with("wait") || name.starts_with("notify") || name.starts_with("arrive") ||
           name.starts_with("acquire") || name.starts_with("release") || name.starts_with("try_acquire") ||
           name == "count_down";
}

class Synchronisation {
  public:
    Synchronisation(const SyntaxTree& tree, const Place& place)
        : tree_(tree), operation_(place.operation), name_(place.name) {}

    [[nodiscard]] std::optional<Expression> at(const Node& node) const {
        if (node.is("call_expression")) return called(node);
        if (operation_ == Operation::thread) {
            if (node.is("init_declarator") || node.is("new_expression"))
                return Expression{node.range(), true};
            return std::nullopt;
        }
        if (operation_ != Operation::lock) return std::nullopt;
        if (node.is("init_declarator")) return one_of(node.field("value"));
        // `std::lock_guard guard(mu);`, which a parser must take for the declaration of a function.
        if (node.is("function_declarator")) return one_of(node.field("parameters"));
        if (node.is("compound_literal_expression")) return one_of(node.field("value"));
        return std::nullopt;
    }

  private:
    [[nodiscard]] std::optional<Expression> called(const Node& call) const {
        if (operation_ == Operation::thread) return Expression{call.range(), true};
        if (const std::string_view method = method_of(tree_, call); !method.empty())
            return of_method(call, method);
        const std::string_view function = function_of(tree_, call);
        const std::vector<Node> arguments = call.field("arguments").named_children();
        if (is_condition_function(function)) return argument(call, operation_ == Operation::lock ? 1 : 0);
        if (is_lock_function(function)) return argument(call, 0);
        if (is_one_of(function, kGuards) || function == "lock" || function == "try_lock")
            return one_of(call.field("arguments"));
        return named_or_whole(call);
    }

    [[nodiscard]] std::optional<Expression> of_method(const Node& call, std::string_view method) const {
        const Node object = call.field("function").field("argument");
        const bool signal = is_signal_method(method);
        if (operation_ == Operation::lock && signal && !call.field("arguments").named_children().empty())
            return argument(call, 0); // the guard that is let go while it waits
        if (signal || is_locking_method(method)) return Expression{unwrapped(object).range(), true};
        return named_or_whole(call);
    }

    [[nodiscard]] std::optional<Expression> argument(const Node& call, std::size_t number) const {
        const std::vector<Node> arguments = call.field("arguments").named_children();
        if (number >= arguments.size()) return Expression{call.range(), false};
        return Expression{referred(tree_, arguments[number]).range(), true};
    }

    /// The lock among what a guard is made with; all of them if nothing tells which.
    [[nodiscard]] std::optional<Expression> one_of(const Node& list) const {
        if (list.is("call_expression")) return called(list);
        std::vector<Node> locks;
        for (const Node& lock : list.named_children()) {
            if (!lock.is("comment") && !is_tag(tree_.text(lock))) locks.push_back(referred(tree_, lock));
        }
        if (locks.empty()) return std::nullopt;
        if (locks.size() == 1) return Expression{locks.front().range(), true};
        std::vector<Node> named = locks;
        std::erase_if(named, [&](const Node& lock) { return !is_named(lock); });
        if (named.size() == 1) return Expression{named.front().range(), true};
        return Expression{{locks.front().range().first, locks.back().range().end}, false};
    }

    [[nodiscard]] bool is_named(const Node& lock) const {
        return name_.known() && name_.match(tree_, lock) == NameMatch::exact;
    }

    /// A function that is not known, or a macro: what it is given, if that has the name.
    [[nodiscard]] std::optional<Expression> named_or_whole(const Node& call) const {
        for (const Access& access : accesses_in(tree_, call)) {
            if (is_named(access.node)) return Expression{access.node.range(), true};
        }
        return Expression{call.range(), false};
    }

    const SyntaxTree& tree_;
    Operation operation_;
    ObjectName name_;
};

} // namespace

std::optional<Expression> synchronised(const SyntaxTree& tree, const std::vector<Node>& pointed,
                                       const Place& place) {
    const Synchronisation synchronisation(tree, place);
    for (const Node& node : pointed) {
        if (auto found = synchronisation.at(node)) return found;
    }
    return std::nullopt;
}

std::optional<ByteRange> lock_behind(const SyntaxTree& tree, ByteRange expression) {
    const std::string_view name = tree.text(expression);
    if (first_name(name) != name) return expression;
    const Node declaration = local_declaration(tree, tree.path_to(expression.first), name);
    if (!declaration) return expression;
    if (!declaration.is("declaration")) return std::nullopt;
    const std::string_view written = tree.text(declaration);
    const auto named_in_it = [&](std::string_view guard) { return has_name(written, guard); };
    if (std::ranges::any_of(kGuards, named_in_it)) {
        const auto lock =
            synchronised(tree, {declaration.field("declarator")}, {.operation = Operation::lock});
        return lock && lock->exact ? std::optional(lock->range) : std::nullopt;
    }
    const std::string_view head = written.substr(0, written.find_first_of("=({"));
    const bool own = head.find_first_of("*&") == std::string_view::npos && !has_name(head, "auto");
    return own ? std::optional(expression) : std::nullopt;
}

} // namespace heddle::source
