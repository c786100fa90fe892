// What a plan claims must be a violation, whatever the program does: two threads at accesses of which one may
// write, a cycle of threads that hold what the next one asks for. Then the running program only has to show
// that it gets there. Shared by who makes plans and the recorder that follows them.
#pragma once

#include "traces/recorder/replay_plan.h"

namespace heddle::replay {

/// Why the plan's steps cannot be those of its violation; null if they can.
[[nodiscard]] const char* problem_of_violation(const Plan& plan);

} // namespace heddle::replay
