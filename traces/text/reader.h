// Reads text traces: RAPID's STD notation, extended (docs/trace-text.md).
//
// Lines that are not the notation are left out and told in `damage`; reading goes on. The file itself
// failing (a cut-off .gz, an input error) keeps what came before. Objects are numbered in the order in
// which `#! object` directives and event lines first name them, a line's thread before its target.
// Under 100 ns for a line of 38 bytes, about 15 times `wc -l`; no allocation per line.
#pragma once

#include "traces/damage.h"
#include "traces/io/byte_source.h"
#include "traces/limits.h"
#include "traces/progress.h"
#include "traces/result.h"
#include "traces/text/line_map.h"
#include "traces/trace.h"

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

struct TextReadOptions {
    Limits limits;
    Progress progress;
};

struct TextTrace {
    Trace trace;
    DamageLog damage = DamageLog();
    LineMap lines;
    std::vector<std::string> notes; ///< what a person may want to know that is no damage
};

/// `file_name` is for messages. Fails when a file that is not empty gave nothing at all.
[[nodiscard]] Result<TextTrace> read_text(ByteSource& source, std::string_view file_name,
                                          const TextReadOptions& options = {});

} // namespace heddle
