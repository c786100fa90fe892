// Where a text declares what debug information names: `total`, or the member `balance` of the variable
// `account`. Pure.
#pragma once

#include "analysis/source/syntax_tree.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::source {

/// A member that a function of its own class names without an object.
struct OwnMember {
    std::string_view function; ///< "bank::Account<int>::deposit"
    std::string_view name;
    auto operator<=>(const OwnMember&) const = default;
};

/// A member of a class that is named without its namespaces: "Account".
struct MemberOf {
    std::string_view type;
    std::string_view name;
};

/// All that a text declares outside of functions. It is looked through once, O(text).
class Declarations {
  public:
    explicit Declarations(const SyntaxTree& tree);

    /// The declared name of a global variable, or of a member of one whose type the same text defines.
    /// Nothing where the text does not show it.
    [[nodiscard]] std::optional<ByteRange> find(std::string_view name) const;
    /// Nothing where the text does not define the class, or the member is of a base.
    [[nodiscard]] std::optional<ByteRange> find(const OwnMember& member) const;
    [[nodiscard]] std::optional<ByteRange> find(const MemberOf& member) const;

  private:
    struct Declared {
        Node declaration;
        Node name;
    };
    struct Scoped {
        Node node;
        std::string scope; ///< of a type: with its own name
    };

    void collect();
    [[nodiscard]] std::string within(const std::string& scope, const Node& node) const;
    [[nodiscard]] Declared variable(const std::string& scope, std::string_view name) const;
    [[nodiscard]] Declared find_in(const std::vector<Node>& declarations, std::string_view name) const;
    [[nodiscard]] Declared member_of(const Node& type, std::string_view name) const;
    [[nodiscard]] Node definition_of(const Node& type) const;
    [[nodiscard]] Node definition_of(std::string_view type) const;

    const SyntaxTree& tree_;
    std::vector<Scoped> variables_;
    std::vector<Scoped> types_;
};

/// Of one name.
[[nodiscard]] std::optional<ByteRange> declaration_of(const SyntaxTree& tree, std::string_view name);

} // namespace heddle::source
