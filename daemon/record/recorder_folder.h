// Where the recorder's libraries are: beside the running `heddle`, in a build tree or where it is installed.
#pragma once

#include "traces/result.h"

#include <string>

namespace heddle::record {

/// `asked` (an option) comes first, then $HEDDLE_RECORDER, then the folders that belong to this program.
[[nodiscard]] Result<std::string> find_recorder_folder(const std::string& asked);

} // namespace heddle::record
