// Where source files are that were compiled elsewhere: in a build directory that is gone, or in a container.
#pragma once

#include "daemon/settings/settings.h"

#include <string>
#include <string_view>
#include <vector>

namespace heddle::settings {

/// The path below `to` of the mapping whose `from` it is below, of the longest if there are several; the path
/// itself if there is none.
[[nodiscard]] std::string mapped_path(std::string_view path, const std::vector<PathMapping>& mappings);

} // namespace heddle::settings
