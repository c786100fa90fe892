// An edit that makes one critical section of two, or begins one earlier, so that two accesses are in it
// together. Pure.
//
// Guards are moved up to the block that has both accesses; of calls, the unlock of the first section and the
// lock of the second go, where nothing but a straight way leads from one to the other. What is not sure to
// keep names visible, the lock the same and every way out unlocked is not written.
#pragma once

#include "analysis/source/rewriting.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle::source {

/// Two accesses in one function, and where the lock is taken for them.
struct TwoSections {
    ByteRange first_access;
    std::optional<ByteRange> first_lock; ///< `mu`, as it is taken for the first; nothing: it is not
    ByteRange second_lock;
};

struct WidenedSection {
    std::string lock;
    std::vector<Replacement> edits;
    ByteRange held;               ///< what the lock is held over, with the statements that go
    std::vector<ByteRange> taken; ///< where it has been taken so far in that
};

[[nodiscard]] std::optional<WidenedSection> widen_section(const SyntaxTree& tree,
                                                          const TwoSections& sections);

} // namespace heddle::source
