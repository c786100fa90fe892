// Whose member an expression accesses, as far as the text shows: "Session" of `session->seen` where `session`
// is declared as a `Session*`, or as a `std::unique_ptr<Session>`; of `auto` where it is made as one, cast to
// one, or what a function of the text returns. Pure; as cheap as the way from the root to the place, after
// O(text) for the first call of a function.
#pragma once

#include "analysis/source/syntax_tree.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::source {

class MemberOwners {
  public:
    /// The tree must outlive it.
    explicit MemberOwners(const SyntaxTree& tree) : tree_(tree) {}

    /// The name of the class, without namespaces; a part of the tree's text. Empty where that cannot be told.
    [[nodiscard]] std::string_view of(ByteRange expression) const;

  private:
    [[nodiscard]] std::string_view type_of_value(const Node& value) const;
    /// As written; empty where functions of that name return different things.
    [[nodiscard]] std::string_view returned_by(std::string_view function) const;

    const SyntaxTree& tree_;
    mutable std::optional<std::map<std::string, std::string_view, std::less<>>> returned_;
};

} // namespace heddle::source
