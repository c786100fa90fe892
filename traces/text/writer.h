// Writes traces as text (docs/trace-text.md).
//
// read_text(write_text(trace)) == trace for every trace that keeps the rules of event.h. What lines
// cannot hold goes into `#!` directives before them: objects when order of first use would number them
// differently, when one is never used, or when one has more than a name; places whose text would be
// read as something else. At most about 150 ns per event; memory for words and places only.
//
// Plain traces are what RAPID reads: r w acq rel fork join begin end, names without blanks, numbers for
// places, no attributes. What that leaves out is counted.
#pragma once

#include "traces/io/file_sink.h"
#include "traces/progress.h"
#include "traces/result.h"
#include "traces/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

struct TextWriteOptions {
    bool plain = false;
    Progress progress; ///< in events
};

struct TextWriteReport {
    std::uint64_t events_written = 0;
    std::uint64_t events_left_out = 0;
    std::vector<std::string> notes; ///< what the text does not hold as the trace does
};

/// Fails when the sink does, or when told to stop.
[[nodiscard]] Result<TextWriteReport> write_text(const Trace& trace, ByteSink& sink,
                                                 const TextWriteOptions& options = {});

} // namespace heddle
