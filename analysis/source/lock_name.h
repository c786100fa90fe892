// What a lock that is taken at one place is called at another: the lock of the object that is accessed there,
// or one that is the same for all. Pure.
//
// Nothing is said where the name might mean another lock or nothing, where a class keeps it to itself, or
// where it is a const object's.
#pragma once

#include "analysis/source/syntax_tree.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::source {

/// How a place takes the lock of what it accesses.
struct LockHabit {
    const SyntaxTree& tree; ///< the text that both are in
    ByteRange lock;         ///< `acct->mu`
    /// `acct->balance`; nothing when it is not the lock of what is accessed, but one for all.
    std::optional<ByteRange> access;
    std::vector<const SyntaxTree*> headers = {}; ///< other texts whose declarations that text can name
    bool own_guard = false; ///< taken by the declaration around it, whatever its type (own_guards.h)
};

struct LockName {
    std::string text;
    bool one_for_all = false; ///< not that of the object which is accessed
    std::string type;         ///< as it is declared: "std::mutex"; empty when the texts do not show it
};

/// To be written at the beginning of `over`, for an access in it. `headers`: other texts whose declarations
/// `tree` can name.
[[nodiscard]] std::optional<LockName> lock_name(const SyntaxTree& tree, ByteRange access, ByteRange over,
                                                const LockHabit& habit,
                                                std::span<const SyntaxTree* const> headers);

} // namespace heddle::source
