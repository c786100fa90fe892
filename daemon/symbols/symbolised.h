// A trace told in the program's own words: code addresses become functions, files and lines.
//
// The same events and ids. Every place that has only a code address gets its source beside it; the stack of
// such a place goes through the functions that were inlined there. Instructions of the same source place,
// called the same way, become one place in the stacks, as a person counts: the read and the write of `x++`
// are at one place. Places that are told by their source already are left alone. O(places + stacks), not
// O(events).
#pragma once

#include "daemon/symbols/symboliser.h"
#include "traces/trace.h"

#include <string>
#include <vector>

namespace heddle::symbols {

struct SymbolisedTrace {
    Trace trace;
    std::vector<ModuleNumber> modules; ///< of the symboliser, for each of the trace's modules
};

[[nodiscard]] SymbolisedTrace symbolised(const Trace& trace, Symboliser& symboliser);

} // namespace heddle::symbols
