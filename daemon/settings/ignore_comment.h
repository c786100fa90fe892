// Findings that a comment on a source line asks not to show: `// heddle: ignore race`, or several kinds with
// commas between them, or none, which means all.
#pragma once

#include "analysis/candidate.h"

#include <string>
#include <string_view>

namespace heddle::settings {

[[nodiscard]] bool ignores(std::string_view line, FindingKind kind);

/// The comment to be put at the end of a line.
[[nodiscard]] std::string ignore_comment(FindingKind kind);

} // namespace heddle::settings
