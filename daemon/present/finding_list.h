// The findings of a workspace as a list, for the views of editors that show more than one at a time.
#pragma once

#include "daemon/present/diagnostics.h"

#include <nlohmann/json_fwd.hpp>

namespace heddle::present {

/// What an editor shows of one bug in a tree or a list, and where it goes (docs/daemon.md,
/// `heddle.findings`).
[[nodiscard]] nlohmann::json list_entry(const View& view, const service::Bug& bug);

} // namespace heddle::present
