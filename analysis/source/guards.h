// How source takes locks: guards that are declared, and calls that lock and unlock. Pure.
#pragma once

#include "analysis/source/syntax_tree.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace heddle::source {

/// A statement, and the block that it is directly in.
struct Placed {
    Node statement;
    Node block;
};

/// The innermost statement of a block around a byte.
[[nodiscard]] std::optional<Placed> statement_at(const SyntaxTree& tree, std::uint32_t byte);

/// Whether a text has a word by which control may leave it.
[[nodiscard]] bool has_way_out(std::string_view statement);

/// Whether control may leave a statement by a macro that it calls: one that has such a word, or that none of
/// the texts defines, by the look of its name.
[[nodiscard]] bool has_hidden_way_out(const SyntaxTree& tree, const Node& statement,
                                      std::span<const SyntaxTree* const> headers);

/// Whether a C++ statement calls something, by which an exception may leave it.
[[nodiscard]] bool may_throw(const Node& statement);

/// Whether a block has a label behind a byte: a jump to it must not pass by a declaration there.
[[nodiscard]] bool has_label_behind(const Node& block, std::uint32_t byte);

/// `std::lock_guard<std::mutex> lock(mu);`
struct Guard {
    ByteRange name; ///< `lock`
    ByteRange lock; ///< `mu`
};

/// Whether a statement declares a guard.
[[nodiscard]] bool is_guard(const SyntaxTree& tree, const Node& statement);
/// Nothing for one of several locks, or with more than a lock.
[[nodiscard]] std::optional<Guard> guard_of(const SyntaxTree& tree, const Node& statement);
/// Of any declaration of one variable with one argument, or the address of one: what would be its lock.
[[nodiscard]] std::optional<Guard> declared_with_one(const SyntaxTree& tree, const Node& statement);

/// A pair of calls. Functions are written with their name, member functions with a dot.
struct LockCall {
    std::string_view lock;
    std::string_view unlock;
};
/// `pthread_mutex_lock(&mu);`, `mu.unlock();`
struct CalledLock {
    LockCall call;
    bool locks = false;
    ByteRange lock; ///< `mu`
};
/// Nothing when the statement is no such call.
[[nodiscard]] std::optional<CalledLock> lock_call(const SyntaxTree& tree, const Node& statement);
/// Those for a lock of a type: "pthread_mutex_t". Nothing for types with guards, and for those that are not
/// known.
[[nodiscard]] std::optional<LockCall> lock_calls_for(std::string_view type);
/// The call that has the lock in it, whatever is made of its result: `if (pthread_mutex_lock(&mu) != 0)`.
[[nodiscard]] std::optional<CalledLock> lock_call_around(const SyntaxTree& tree, ByteRange lock);

/// The statement: "pthread_mutex_lock(&mu);", "mu.lock();"
[[nodiscard]] std::string call_text(std::string_view function, std::string_view lock);

} // namespace heddle::source
