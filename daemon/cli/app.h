// The command line of `heddle`: parses it, runs one command, and gives the exit status.
#pragma once

namespace heddle::cli {

/// 0 fine, 1 damage, findings or an incomplete analysis, 2 error.
[[nodiscard]] int run(int argc, char** argv);

} // namespace heddle::cli
