// A story for a terminal: one column a thread, the violation's own steps between ▶ and ◀. Where the columns
// do not fit, long words are cut; where that is not enough, one step a line with its thread in front.
#pragma once

#include "analysis/witness/story.h"
#include "traces/trace.h"

#include <cstddef>
#include <string>

namespace heddle::report {

/// Lines of at most `width` columns, if names and places allow; all of them indented.
[[nodiscard]] std::string story_text(const Trace& trace, const Story& story, std::size_t width);

} // namespace heddle::report
