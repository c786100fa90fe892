// The witness of a bug for the views of editors that draw it.
#pragma once

#include "daemon/present/diagnostics.h"

#include <nlohmann/json_fwd.hpp>

namespace heddle::present {

/// As `heddle witness --format json` has it, but for the places of its steps: those are where the text is now
/// that was recorded.
[[nodiscard]] nlohmann::json witness_now(const View& view, const service::Sighting& sighting);

} // namespace heddle::present
