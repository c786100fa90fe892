// What to tell a user whose program cannot be recorded: what is missing, and the lines that add it to a
// build with CMake, Meson, Make or Bazel.
#pragma once

#include "daemon/record/program.h"

#include <string>

namespace heddle::record {

/// `recorder`: the folder of the recorder's libraries, for the lines that name it. For a program that is
/// recordable the text is empty.
[[nodiscard]] std::string advice(const Program& program, const std::string& recorder);

} // namespace heddle::record
