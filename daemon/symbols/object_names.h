// Names for the memory that a trace tells of by address: global variables and their members, local variables,
// and blocks of the heap by where they were allocated. Only what has no name gets one.
#pragma once

#include "daemon/symbols/symboliser.h"
#include "traces/retelling.h"
#include "traces/trace.h"

#include <vector>

namespace heddle::symbols {

/// `modules`: the symboliser's, for each of the trace's. `told` has the places resolved. One pass over the
/// events, then O(objects).
void name_objects(const Trace& trace, const std::vector<ModuleNumber>& modules, Symboliser& symboliser,
                  Retelling& told);

} // namespace heddle::symbols
