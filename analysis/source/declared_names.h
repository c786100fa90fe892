// What names are declared as, anywhere in some texts. Scopes are not told apart: an answer holds for every
// declaration of the name, so what is said to be a number is one whichever is meant. Of names that nobody
// declares nothing is known.
#pragma once

#include "analysis/source/syntax_tree.h"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::source {

/// What can be held in an atomic variable without a lock of its own.
enum class Scalar : std::uint8_t { none, boolean, integer, floating, pointer };

/// Of a type as written, without pointers: "unsigned long", "std::size_t". Others are not known.
[[nodiscard]] Scalar scalar_of(std::string_view type);

/// Whether a name is one as macros have, by custom: INT_MAX.
[[nodiscard]] bool is_shouted(std::string_view name);
/// "long" of "NOINLINE long": a parser takes the macro for a part of the type.
[[nodiscard]] std::string_view without_macros(std::string_view type);

/// The name that a declarator declares: `x` of `*x[3]`, `count` of `Pool::count`; of a function its name.
[[nodiscard]] Node declared_name(Node declarator);

class DeclaredNames {
  public:
    explicit DeclaredNames(std::span<const SyntaxTree* const> trees);

    /// A number or a pointer, or a reference to one.
    [[nodiscard]] bool is_scalar(std::string_view name) const;
    /// An array of such.
    [[nodiscard]] bool is_array(std::string_view name) const;
    /// Every function of the name takes a number or a pointer there, by value and whatever it is a template
    /// of.
    [[nodiscard]] bool takes_scalar(std::string_view function, std::size_t parameter) const;
    [[nodiscard]] bool returns_scalar(std::string_view function) const;
    /// `#define`d.
    [[nodiscard]] bool is_macro(std::string_view name) const;

  private:
    struct Variables {
        bool scalar = true;
        bool array = true;
    };
    struct Functions {
        bool known = true;            ///< false: of parameters that cannot be told
        bool scalar = true;           ///< what they return
        std::vector<bool> parameters; ///< whether all take a scalar there, as far as all have it
    };
    void collect(const SyntaxTree& tree);
    void add(const SyntaxTree& tree, const Node& declaration);
    void add_function(const SyntaxTree& tree, const Node& declaration, const Node& declarator);

    std::map<std::string, Variables, std::less<>> variables_;
    std::map<std::string, Functions, std::less<>> functions_;
    std::set<std::string, std::less<>> macros_;
};

} // namespace heddle::source
