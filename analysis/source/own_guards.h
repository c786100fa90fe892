// Guards of the program's own: `MutexLock lock(&mu_);` of a class that takes the lock when it is made, and
// lets it go at its end. Whether a class does that, a run shows; here is how its objects are declared. Pure.
#pragma once

#include "analysis/source/guards.h"
#include "analysis/source/syntax_tree.h"

#include <cstdint>
#include <optional>
#include <span>

namespace heddle::source {

/// What is declared, with a single argument, by the innermost statement around a byte. Nothing for guards of
/// the standard library.
[[nodiscard]] std::optional<Guard> own_guard_at(const SyntaxTree& tree, std::uint32_t byte);

/// Whether what one statement of a text declares can be declared elsewhere in it: its type means the same
/// there. `headers`: other texts that may define the type.
[[nodiscard]] bool can_be_declared_at(const SyntaxTree& tree, const Node& declaration, std::uint32_t byte,
                                      std::span<const SyntaxTree* const> headers);

} // namespace heddle::source
