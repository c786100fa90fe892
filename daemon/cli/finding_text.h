// Findings as text for people.
#pragma once

#include "analysis/analyze.h"
#include "analysis/witness/story.h"
#include "daemon/cli/suppressing.h"
#include "traces/trace.h"

#include <cstddef>
#include <string>

namespace heddle::cli {

struct TextOptions {
    bool show_refuted = false;
    bool witnesses = true;         ///< they were looked for
    std::size_t width = 120;       ///< of the terminal
    report::Suppressed suppressed; ///< these are left out, and counted
    bool show_suppressed = false;
};

/// One finding: where and what in compilers' format, the events it is about, and its verdict in words. Its
/// story, when it is witnessed, follows in a form of the caller's choice.
[[nodiscard]] std::string finding_text(const Trace& trace, const Finding& finding, std::size_t number);

/// All findings with their stories, and the limits that were reached.
[[nodiscard]] std::string findings_text(const Trace& trace, const Analysis& analysis,
                                        const TextOptions& options);

/// "2 races · 0 atomicity violations · 0 deadlocks · 1 possible · 3 suppressed · 48,211 events in 9 ms"
[[nodiscard]] std::string summary_text(const Trace& trace, const Analysis& analysis,
                                       const TextOptions& options, double seconds);

} // namespace heddle::cli
