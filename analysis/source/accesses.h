// The expressions of a text that read or write memory: `acct->balance`, `v[i].x`, `*p`, `hits`. What an
// expression's type is stays unknown, so every name counts that could be one of a variable.
#pragma once

#include "analysis/source/syntax_tree.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace heddle::source {

struct Access {
    Node node;
    bool read = false;
    bool written = false;
};

[[nodiscard]] bool is_access(const SyntaxTree& tree, const Node& node);

/// `expression` without parentheses and casts around it.
[[nodiscard]] Node unwrapped(Node expression);
/// `mu` of `&mu` and of `std::ref(mu)`.
[[nodiscard]] Node referred(const SyntaxTree& tree, const Node& expression);

/// "lock" of `a->mu.lock()`; empty when it is no call of a member function.
[[nodiscard]] std::string_view method_of(const SyntaxTree& tree, const Node& call);
/// "pthread_mutex_lock", "lock" of `std::lock(a, b)`; empty when it is no call of a plain function.
[[nodiscard]] std::string_view function_of(const SyntaxTree& tree, const Node& call);

/// All accesses in a node, outer ones before those that they contain. Not those in lambdas and blocks, which
/// happen at another time, nor those in operands that are not evaluated. Of what is beyond a limit nothing.
[[nodiscard]] std::vector<Access> accesses_in(const SyntaxTree& tree, const Node& node);

} // namespace heddle::source
