// A report as bytes that can be kept in a file, and back: fields one after another, without names. It is read
// at every start, before an editor shows anything, so it goes straight into the report.
#pragma once

#include "daemon/report/report.h"
#include "traces/result.h"

#include <string>
#include <string_view>

namespace heddle::report {

/// Changes whenever the same trace may give another report, or the same report other bytes.
inline constexpr int kReportVersion = 9;

[[nodiscard]] std::string stored(const TraceReport& report);
/// An error for anything that `stored` of this version did not make, as far as it can be told. Allocates no
/// more than a small multiple of the bytes.
[[nodiscard]] Result<TraceReport> restored(std::string_view bytes);

} // namespace heddle::report
