// Where a user's daemon keeps what lives no longer than a session of the user: its socket and the pages it
// shows. For that user alone.
#pragma once

#include "traces/result.h"

#include <string>

namespace heddle::service {

/// $XDG_RUNTIME_DIR/heddle, or a folder of the user's own in the folder for temporary files. Made if need be;
/// an error if it belongs to somebody else.
[[nodiscard]] Result<std::string> runtime_folder();

} // namespace heddle::service
