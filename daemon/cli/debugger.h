// gdb for a program that stands at a bug.
#pragma once

#include "daemon/replay/outcome.h"

namespace heddle::cli {

/// Says where the program stands, how to attach, and for how long: seconds of the attempt, 0 for no limit. At
/// a terminal gdb is run, if there is one, and the program is ended afterwards.
void offer_debugger(const replay::Outcome& outcome, double timeout);

} // namespace heddle::cli
