// Whether a use of a variable still compiles, and means the same, once the variable is atomic. In C an atomic
// variable is used like any other; in C++ it is an object of a class, which is converted where a number is
// wanted, but not deduced, copied, bound to references or passed on as it is. What is not sure to be the
// same is not. Pure.
#pragma once

#include "analysis/source/declared_names.h"

#include <optional>
#include <string_view>
#include <vector>

namespace heddle::source {

enum class AtomicUse : std::uint8_t {
    read,
    written,  ///< a value that does not depend on another variable
    computed, ///< a value that does
    updated,  ///< read and written in one step
    none,     ///< initialised
};

class AtomicUses {
  public:
    /// `names` must outlive it.
    AtomicUses(const DeclaredNames& names, Language language, Scalar type, std::string_view name)
        : names_(names), cpp_(language == Language::cpp), type_(type), name_(name) {}

    /// `path`: from the root to the expression that is the variable, `acct->balance`. Nothing: not sure.
    [[nodiscard]] std::optional<AtomicUse> use(const SyntaxTree& tree, const std::vector<Node>& path) const;

  private:
    struct At;
    [[nodiscard]] std::optional<AtomicUse> assigned(const At& at) const;
    [[nodiscard]] bool mentions(const SyntaxTree& tree, const Node& expression) const;
    [[nodiscard]] bool value_is_fine(const At& at) const;
    [[nodiscard]] bool argument_is_fine(const At& at) const;
    [[nodiscard]] bool initialiser_is_fine(const At& at, std::size_t list) const;
    [[nodiscard]] bool returned_is_fine(const At& at) const;
    [[nodiscard]] bool operand_is_fine(const At& at) const;
    [[nodiscard]] bool is_scalar(const SyntaxTree& tree, Node expression) const;
    [[nodiscard]] bool may_update(std::string_view op) const;

    const DeclaredNames& names_;
    bool cpp_;
    Scalar type_;
    std::string_view name_;
};

} // namespace heddle::source
