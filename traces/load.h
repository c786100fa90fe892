// Reads a trace file of any known format, told by its content, and leaves out what breaks the rules.
#pragma once

#include "traces/damage.h"
#include "traces/limits.h"
#include "traces/progress.h"
#include "traces/result.h"
#include "traces/trace.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

enum class TraceFormat : std::uint8_t { htr, text };

struct LoadOptions {
    Limits limits;
    Progress progress;
};

struct LoadedTrace {
    Trace trace; ///< what is usable: it keeps all rules of rules.h
    DamageLog damage;
    std::vector<std::string> notes; ///< worth knowing, but nothing is wrong
    TraceFormat format = TraceFormat::htr;
    std::uint64_t file_bytes = 0;
};

/// An error means that the file is no trace at all, or cannot be read; everything else is damage.
[[nodiscard]] Result<LoadedTrace> load_trace(const std::string& path, const LoadOptions& options = {});

} // namespace heddle
