// What replays have shown, kept beside the trace: NAME.htr.replay.json (docs/replay.md). A result is about
// the very run that was replayed: it says nothing of a trace that was recorded again under the same name.
#pragma once

#include "analysis/analyze.h"
#include "daemon/report/report.h"
#include "traces/result.h"
#include "traces/trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace heddle::replay {

/// Which run a result is about.
struct RunIdentity {
    std::optional<std::int64_t> recorded_unix_ns;
    std::uint64_t events = 0;

    bool operator==(const RunIdentity&) const = default;
};
[[nodiscard]] RunIdentity identity_of(const Trace& trace);

struct ReplayResult {
    bool confirmed = false;
    std::string when; ///< UTC: 2026-11-16T16:05:00Z
    unsigned attempts = 0;
    std::string explanation; ///< why it was not confirmed

    bool operator==(const ReplayResult&) const = default;
};

/// By recorded_key (daemon/report/make_report.h).
using ReplayResults = std::map<std::string, ReplayResult>;

[[nodiscard]] std::string results_path(const std::string& trace_path);
/// Of that run; empty when there are none, or when the file cannot be understood.
[[nodiscard]] ReplayResults load_results(const std::string& trace_path, const RunIdentity& run);
/// Adds a result. One that was confirmed stays so.
[[nodiscard]] Result<void> save_result(const std::string& trace_path, const RunIdentity& run,
                                       const std::string& bug, const ReplayResult& result);

/// Findings that a replay has confirmed say so from now on.
void mark_confirmed(const std::string& trace_path, const Trace& trace, Analysis& analysis);
void mark_confirmed(const std::string& trace_path, report::TraceReport& report);

} // namespace heddle::replay
