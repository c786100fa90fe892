// Writes a trace as Chrome trace JSON, for timeline viewers such as Perfetto and about:tracing. One row
// per thread; critical sections, waits, barriers, transactions and initialisers are spans, everything
// else is a mark; forks, joins and wake-ups are arrows. A trace has an order and no clock: event n stands
// at n microseconds.
#pragma once

#include "traces/io/file_sink.h"
#include "traces/progress.h"
#include "traces/result.h"
#include "traces/trace.h"

#include <string>
#include <vector>

namespace heddle::chrome {

/// What the format could not hold, in words.
[[nodiscard]] Result<std::vector<std::string>> write_trace(const Trace& trace, ByteSink& sink,
                                                           const Progress& progress = {});

} // namespace heddle::chrome
