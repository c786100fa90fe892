// A story as a Markdown table, for hovers and reports: one column a thread, the violation's own steps bold.
#pragma once

#include "analysis/witness/story.h"
#include "traces/trace.h"

#include <string>

namespace heddle::report {

[[nodiscard]] std::string story_markdown(const Trace& trace, const Story& story);

/// Text that Markdown shows as it is, also within a table.
[[nodiscard]] std::string markdown_text(std::string_view text);

} // namespace heddle::report
