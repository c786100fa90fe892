// What a name means at a place, as far as some texts show: a variable of the function, a member of the class
// whose function it is, or a variable of a namespace. Pure; O(texts) a question.
//
// Where that cannot be told for sure (a base class that nobody shows, `using namespace`) nothing is known.
#pragma once

#include "analysis/source/syntax_tree.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::source {

struct Meaning {
    enum class Kind : std::uint8_t { unknown, local, member, global };

    Kind kind = Kind::unknown;
    const SyntaxTree* tree = nullptr; ///< that declares it
    Node declaration;
    Node owner;          ///< of a member: the class
    std::string scope;   ///< of a global variable: "bank::detail"
    bool hidden = false; ///< of a global variable: nobody but its text can name it

    /// Whether both are the same variable.
    [[nodiscard]] bool same_global(const Meaning& other) const;
};

/// A class, and where it is defined.
struct ClassDefinition {
    const SyntaxTree* tree = nullptr;
    Node node;
};

class VisibleNames {
  public:
    /// `headers`: other texts whose declarations the text can name. All must outlive it.
    VisibleNames(const SyntaxTree& tree, std::span<const SyntaxTree* const> headers)
        : tree_(tree), headers_(headers) {}

    /// Of a name as it is written, with the namespaces before it: "mu", "bank::mu".
    [[nodiscard]] Meaning meaning(std::string_view name, std::uint32_t byte) const;
    /// A variable of that namespace, declared before the byte.
    [[nodiscard]] Meaning global(std::string_view scope, std::string_view name, std::uint32_t byte) const;

    /// The class whose function a byte is in, if the texts show it.
    [[nodiscard]] std::optional<ClassDefinition> class_at(std::uint32_t byte) const;
    /// Every class with all of these members.
    [[nodiscard]] std::vector<ClassDefinition> classes_with(std::span<const std::string_view> members) const;

  private:
    [[nodiscard]] std::vector<const SyntaxTree*> all() const;
    [[nodiscard]] std::optional<ClassDefinition> class_named(std::string_view name) const;
    [[nodiscard]] Meaning member(const ClassDefinition& of, std::string_view name, int bases) const;
    /// "bank::detail", "bank" and "" for what is in that namespace.
    [[nodiscard]] std::vector<std::string> scopes_at(std::uint32_t byte) const;

    const SyntaxTree& tree_;
    std::span<const SyntaxTree* const> headers_;
};

/// The declaration of a class's own member; none when it has none of that name.
[[nodiscard]] Node member_declaration(const ClassDefinition& of, std::string_view name);
/// Who may name a member: "public", "protected" or "private".
[[nodiscard]] std::string_view access_of(const ClassDefinition& of, const Node& member);

} // namespace heddle::source
