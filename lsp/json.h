// JSON from strangers, and JSON for them. Parsing is bounded in bytes, depth and number of values before
// anything is built, takes only valid UTF-8, and gives an error value where the component would throw.
// O(bytes). What passes can be walked and destroyed recursively without fear for the stack.
#pragma once

#include "lsp/result.h"

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace heddle::lsp {

using Json = nlohmann::json;

struct JsonLimits {
    std::size_t max_bytes = std::size_t{64} << 20U;
    std::size_t max_depth = 128;                    ///< arrays and objects inside each other
    std::size_t max_values = std::size_t{1} << 20U; ///< a value takes up to 30 times the memory of its text
};

/// One JSON value, with nothing but white space around it.
[[nodiscard]] Result<Json> parse_json(std::string_view text, const JsonLimits& limits = {});

/// Compact, in ASCII-compatible UTF-8. Bytes that are no UTF-8 (a file name may have them) become U+FFFD.
[[nodiscard]] std::string to_text(const Json& value);

/// A member of what a stranger sent, when that is an object and the member a text; otherwise nothing.
[[nodiscard]] std::string text_member(const Json& json, const char* name);

} // namespace heddle::lsp
