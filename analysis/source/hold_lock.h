// An edit that holds a lock around an access, written as the rest of the program does it: how another place
// takes the lock is copied, for the object that is accessed here. Pure.
//
// What cannot be seen to compile is not written: a lock whose name means something else here or nothing, a
// const object's lock, a C statement with a way out, a label.
#pragma once

#include "analysis/source/syntax_tree.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::source {

/// How a place takes the lock of what it accesses.
struct LockHabit {
    ByteRange lock;   ///< `acct->mu`
    ByteRange access; ///< `acct->balance`
};

/// Text that comes in.
struct Insertion {
    std::uint32_t byte = 0;
    std::string text;

    bool operator==(const Insertion&) const = default;
};

struct HeldLock {
    std::string lock; ///< as written here
    std::vector<Insertion> edits;
    ByteRange held; ///< of the text as it is
};

/// Both places are in the tree's text.
[[nodiscard]] std::optional<HeldLock> hold_lock(const SyntaxTree& tree, const LockHabit& habit,
                                                ByteRange access);

} // namespace heddle::source
