// An edit that holds a lock around an access, written as the rest of the program does it: how another place
// takes the lock is copied, for the object that is accessed here. Pure.
//
// What cannot be seen to compile is not written: a lock whose name means something else here or nothing, a
// const object's lock, a C statement with a way out, a label.
#pragma once

#include "analysis/source/rewriting.h"

#include <cstdint>
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
};

struct HeldLock {
    std::string lock; ///< as written here
    std::vector<Replacement> edits;
    ByteRange held; ///< of the text as it is
};

/// `access`: in the tree's text, the expression, or the call that leads to it. `headers`: other texts whose
/// declarations the text can name.
[[nodiscard]] std::optional<HeldLock> hold_lock(const SyntaxTree& tree, ByteRange access,
                                                const LockHabit& habit,
                                                std::span<const SyntaxTree* const> headers = {});

} // namespace heddle::source
