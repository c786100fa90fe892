// Whether a trace that was just written can be read: opens it and checks every chunk, without decoding the
// events. At the speed of the disk.
#pragma once

#include "traces/result.h"

#include <string>

namespace heddle::record {

/// An error says what is wrong. A file that its writer did not close (it was killed) is fine.
[[nodiscard]] Result<void> check_trace(const std::string& path);

} // namespace heddle::record
