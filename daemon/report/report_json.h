// A report as bytes that can be kept in a file, and back.
#pragma once

#include "daemon/report/report.h"
#include "traces/result.h"

#include <string>
#include <string_view>

namespace heddle::report {

/// Changes whenever the same trace may give another report, or the same report other bytes.
inline constexpr int kReportVersion = 4;

[[nodiscard]] std::string stored(const TraceReport& report);
/// An error for anything that `stored` of this version did not make.
[[nodiscard]] Result<TraceReport> restored(std::string_view bytes);

} // namespace heddle::report
