// Writes a whole Trace to a .htr file.
#pragma once

#include "traces/progress.h"
#include "traces/result.h"
#include "traces/trace.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::htr {

struct WriteTraceOptions {
    int zstd_level = 3; ///< 0: not compressed
    std::size_t events_per_chunk = std::size_t{1} << 17U;
    std::uint64_t file_id = 0; ///< 0: a random one
    bool stream_per_thread =
        false; ///< the way a recorder writes: each thread's events in chunks of their own
};

/// Stamps are event ids. The file is written in place: see convert for replacing one safely.
[[nodiscard]] Result<void> write_trace(const Trace& trace, const std::string& path,
                                       const WriteTraceOptions& options = {}, const Progress& progress = {});

} // namespace heddle::htr
