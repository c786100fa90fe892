// The witness of a bug, to read beside its source.
#pragma once

#include "daemon/present/diagnostics.h"

#include <string>

namespace heddle::present {

/// What it is, how sure, the schedule as a table, when and by which test it was recorded.
[[nodiscard]] std::string bug_markdown(const View& view, const service::Bug& bug, std::size_t access);
/// The same for clients that show text as it is.
[[nodiscard]] std::string bug_text(const View& view, const service::Bug& bug, std::size_t access);

} // namespace heddle::present
