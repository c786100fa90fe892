// What all reports of findings say alike: numbers, names of verdicts, headlines, places.
#pragma once

#include "analysis/analyze.h"
#include "traces/trace.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

/// By finding: its number for people, from 1 on. Refuted ones come last, so that the others have the same
/// numbers whether or not these are asked for.
[[nodiscard]] std::vector<std::size_t> finding_numbers(const Analysis& analysis);

[[nodiscard]] std::string_view verdict_name(const Verdict& verdict);
/// "cells[].x" of "cells[3].x": what the elements of an array have in common.
[[nodiscard]] std::string without_indices(std::string_view name);
/// The variable as it is declared: "log_" of "log_+8", a part of it that has no name. Without indices, too.
[[nodiscard]] std::string declared_name(std::string_view name);
/// "data race on 'cells[].x'": which element of an array was caught is an accident of the run.
[[nodiscard]] std::string title(const Trace& trace, const Finding& finding);
/// "data race on 'cells[3].x' and 63 more like it"
[[nodiscard]] std::string headline(const Trace& trace, const Finding& finding);
/// "write", "lock 'b'"
[[nodiscard]] std::string operation_words(const Trace& trace, const EventView& event);
/// "bank.cpp:41:9", "bank+0x12a4", the label, or "event 17".
[[nodiscard]] std::string place_or_event(const Trace& trace, EventId event);
/// Why two accesses belong together, in half a sentence; empty when the run itself shows it.
[[nodiscard]] std::string intent_words(const Trace& trace, const Finding& finding);
/// Why it is not witnessed, in a sentence; empty when it is, or when no witness was looked for.
[[nodiscard]] std::string reason(const Verdict& verdict);

} // namespace heddle::report
