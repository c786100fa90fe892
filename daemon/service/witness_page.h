// A witness as a Markdown file that an editor can open.
#pragma once

#include "traces/result.h"

#include <string>

namespace heddle::service {

/// In the user's runtime folder, under a name made of the bug's key; the path.
[[nodiscard]] Result<std::string> write_witness_page(const std::string& key, const std::string& markdown);

} // namespace heddle::service
