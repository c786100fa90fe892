// The samples as README.md lists them.
#pragma once

#include "documentation.h"

#include <string>

namespace heddle::test {

/// A row for each thing that a sample documents, each ending with a line break.
[[nodiscard]] std::string readme_rows(const std::string& name, const Documentation& documentation);

} // namespace heddle::test
