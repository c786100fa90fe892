// Whether it is safe, as far as texts show, to hold a lock over a piece of source: what a recorded run did
// not come to, or did not have to wait for, the run does not tell. Pure; errs on the side of no.
#pragma once

#include "analysis/source/syntax_tree.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace heddle::source {

/// Whether something in the piece, or in the functions that it calls, may wait for another thread: a loop
/// that nothing in it brings to an end, a condition, a join. Locks do not count. `headers`: other texts whose
/// functions it may call.
[[nodiscard]] bool may_wait(const SyntaxTree& tree, ByteRange piece,
                            std::span<const SyntaxTree* const> headers = {});

/// Whether the piece has a loop in it.
[[nodiscard]] bool has_loop(const SyntaxTree& tree, ByteRange piece);

/// Whether a loop in the piece is around the byte: what is there may come again before the piece is over.
[[nodiscard]] bool may_come_again(const SyntaxTree& tree, ByteRange piece, std::uint32_t byte);

/// Whether the piece takes the lock, itself or in the functions that it calls; statements in `except` aside.
/// `lock`: as the piece would write it. `headers`: other texts whose functions it may call.
[[nodiscard]] bool may_take(const SyntaxTree& tree, ByteRange piece, std::string_view lock,
                            std::span<const SyntaxTree* const> headers,
                            std::span<const ByteRange> except = {});

} // namespace heddle::source
