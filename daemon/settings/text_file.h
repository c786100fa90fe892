// Whole small files that a user wrote.
#pragma once

#include "traces/result.h"

#include <cstddef>
#include <optional>
#include <string>

namespace heddle::settings {

/// The text of a regular file of at most so many bytes; nothing when there is no such file. Anything else is
/// an error, which names the path: a pipe, a folder, a file that may not be read, a larger one.
[[nodiscard]] Result<std::optional<std::string>> read_text_file(const std::string& path, std::size_t most);

} // namespace heddle::settings
