// Where the library says what it met. It has no log of its own: whoever uses it brings a function.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace heddle::lsp {

enum class LogLevel : std::uint8_t { debug, info, warning, error };

/// Called on the loop. May be empty.
using Log = std::function<void(LogLevel level, std::string_view message)>;

} // namespace heddle::lsp
