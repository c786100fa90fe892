// The daemon's log: a file that is rotated, and never grows without end.
#pragma once

#include "lsp/log.h"
#include "traces/result.h"

#include <string>

namespace heddle::service {

/// $XDG_STATE_HOME/heddle/heddle.log, or the same below ~/.local/state; empty when there is no home.
[[nodiscard]] std::string default_log_file();

/// Makes the folder. An error when the file cannot be written to.
[[nodiscard]] Result<lsp::Log> open_log(const std::string& path);

} // namespace heddle::service
