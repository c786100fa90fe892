// Edits that make a variable atomic: its declarations, and the header that this takes. They are written only
// where every use in the given texts still compiles and means the same (atomic_uses.h), and where the object
// that the variable is a member of is neither copied nor initialised as a whole. Pure.
//
// What is not understood is not written: types whose meaning the texts do not show, arrays, bit-fields,
// several variables in one declaration, names that a macro mentions, `x = x + 1`.
#pragma once

#include "analysis/source/rewriting.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::source {

struct SharedVariable {
    std::string name;    ///< the last one: "balance" of "account.balance"
    bool member = false; ///< of an object
    /// As debug information has it, "account.balance", if it does; tells members of one name apart.
    std::string path;
};

/// "bank::account.balance", or an expression: "acct->balance". Nothing for elements of arrays and for what
/// has no name.
[[nodiscard]] std::optional<SharedVariable> shared_variable(std::string_view name);

struct AtomicVariable {
    std::vector<std::vector<Replacement>> edits; ///< by text
    /// Some function reads it and then writes a value that may depend on what it read: that stays two steps.
    bool stays_apart = false;
};

/// `trees`: every text that may use the variable; `own`: of these, one that does, and whose language counts;
/// `headers`: others, that tell what functions take and return.
[[nodiscard]] std::optional<AtomicVariable> make_atomic(std::span<const SyntaxTree* const> trees,
                                                        std::size_t own, const SharedVariable& variable,
                                                        std::span<const SyntaxTree* const> headers = {});

/// The names of the class that the variable is a member of, if other texts can name that.
[[nodiscard]] std::vector<std::string> types_with(std::span<const SyntaxTree* const> trees, std::size_t own,
                                                  const SharedVariable& variable);

/// Whether no other text can name the variable.
[[nodiscard]] bool is_hidden(const SyntaxTree& own, const SharedVariable& variable);

} // namespace heddle::source
