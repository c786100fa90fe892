// The languages whose sources Heddle can read, and tree-sitter's grammar for each.
//
// Grammars are constant data: any thread may use them. Parsing itself is tree-sitter's C interface
// (<tree_sitter/api.h>), which this header does not pull in.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

struct TSLanguage;

namespace heddle {

enum class Language : std::uint8_t { c, cpp };

[[nodiscard]] const TSLanguage* grammar(Language language);

/// The language of a source file, told by its extension; nothing for a file that is neither C nor C++.
/// A ".h" may be either: it is read as C++, whose grammar takes almost all of C, while that of C
/// understands little of C++.
[[nodiscard]] std::optional<Language> language_of(std::string_view path);

} // namespace heddle
