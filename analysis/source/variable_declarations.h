// Where a variable that outlives functions is declared: global variables, static ones, members. Pure,
// O(text).
#pragma once

#include "analysis/source/syntax_tree.h"

#include <string>
#include <string_view>
#include <vector>

namespace heddle::source {

struct VariableDeclaration {
    Node declaration;
    Node declarator; ///< of the declaration's, the one with the name; of a member without a value, the name
    Node name;
    Node owner;            ///< the class or struct, of a member
    std::string scope;     ///< "bank::Pool": namespaces that have a name, and classes; or the function's name
    bool member = false;   ///< of an object, not of its class
    bool external = false; ///< `extern`, no definition
    bool internal = false; ///< nobody but this text can name it
};

[[nodiscard]] std::vector<VariableDeclaration> variable_declarations(const SyntaxTree& tree,
                                                                     std::string_view name);

/// Of the functions, blocks and loops around the end of a path, the innermost declaration before it that
/// declares the name; none when it is not one of a local variable or parameter.
[[nodiscard]] Node local_declaration(const SyntaxTree& tree, const std::vector<Node>& path,
                                     std::string_view name);

/// Whether a declaration has the word as storage class or qualifier.
[[nodiscard]] bool has_specifier(const SyntaxTree& tree, const Node& declaration, std::string_view word);

} // namespace heddle::source
