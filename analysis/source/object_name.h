// Comparing what debug information calls a piece of memory ("account.balance", "cells[3].x") with an
// expression of the source (`acct->balance`, `cells[i].x`): both end in the same member, however one came
// there.
#pragma once

#include "analysis/source/syntax_tree.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace heddle::source {

/// How well an expression can be what the name says; better ones are greater.
enum class NameMatch : std::uint8_t {
    none,    ///< it is called something else: an alias, or another object
    pointed, ///< behind a pointer or an index, whose name says nothing of what is there
    part,    ///< a whole of which the name is a part, or the other way round
    exact,   ///< both end in the same name, with or without an index
};

class ObjectName {
  public:
    /// Of "heap block of 24 bytes allocated in open (x.c:20)" and the like nothing is known.
    explicit ObjectName(std::string_view name);

    [[nodiscard]] bool known() const { return !last_.empty(); }
    [[nodiscard]] bool on_heap() const { return on_heap_; }
    /// "balance" of "account.balance".
    [[nodiscard]] std::string_view last() const { return last_.empty() ? std::string_view() : last_.front(); }
    [[nodiscard]] NameMatch match(const SyntaxTree& tree, const Node& expression) const;
    /// Whether the expression is one of another member than the name is of. Optimisers move accesses to where
    /// others are. A member that is a reference is not told from that.
    [[nodiscard]] bool is_other_member(const SyntaxTree& tree, const Node& expression) const;

  private:
    std::vector<std::string_view> last_;   ///< several for bit-fields that share their bytes
    std::vector<std::string_view> owners_; ///< "account" of "account.balance"
    bool indexed_ = false;
    bool member_ = false;
    bool on_heap_ = false;
};

} // namespace heddle::source
