// Records a program with `heddle record` and loads the trace.
#pragma once

#include "run_program.h"
#include "test_files.h"
#include "traces/load.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle::test {

struct Recorded {
    Ran ran;
    std::optional<LoadedTrace> loaded; ///< nothing, and a test failure, when there is no trace to load
};

/// `command`: the program and its arguments.
[[nodiscard]] Recorded record_program(const std::vector<std::string>& command,
                                      const std::vector<std::string>& options = {});

/// Fails the test for everything that is wrong with the trace: damage, or a rule that is broken.
void expect_sound(const LoadedTrace& loaded);

/// How often to repeat what should hold every time: $HEDDLE_REPEAT, or once.
[[nodiscard]] int repetitions();

} // namespace heddle::test
