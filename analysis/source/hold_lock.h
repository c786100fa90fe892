// An edit that holds a lock around an access, written as the rest of the program does it: how another place
// takes the lock is copied, for the object that is accessed here. Pure.
//
// What cannot be seen to compile and to mean the same is not written: a lock whose name means something else
// here or nothing, a const object's lock, a guard that a jump would pass by, calls around a statement with
// another way out. Nor is a lock held where the source may wait for another thread or take it again.
#pragma once

#include "analysis/source/lock_name.h"
#include "analysis/source/rewriting.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::source {

struct HeldLock {
    std::string lock;         ///< as written here
    bool one_for_all = false; ///< not that of the object which is accessed
    std::vector<Replacement> edits;
    ByteRange held; ///< of the text as it is
};

/// `access`: in the tree's text, the expression, or the call that leads to it. `headers`: other texts whose
/// declarations the text can name.
[[nodiscard]] std::optional<HeldLock> hold_lock(const SyntaxTree& tree, ByteRange access,
                                                const LockHabit& habit,
                                                std::span<const SyntaxTree* const> headers = {});

} // namespace heddle::source
