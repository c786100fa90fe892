// Traces as RAPID reads them; see writer.h.
#pragma once

#include "traces/text/object_words.h"
#include "traces/text/text_output.h"
#include "traces/text/writer.h"
#include "traces/trace.h"

namespace heddle::text {

[[nodiscard]] TextWriteReport write_plain(const Trace& trace, const ObjectWords& words, TextOutput& out);

} // namespace heddle::text
