// How a command joins the command line: it adds a subcommand with its options to the app, and leaves
// behind what to run when that subcommand was chosen. One file per command.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace heddle::cli {

/// `record` gives other numbers as well: those of the program it ran.
enum class ExitStatus : int { fine = 0, damage = 1, error = 2 };

using Command = std::function<ExitStatus()>;

/// Each returns the body of the command it added.
[[nodiscard]] Command add_record(CLI::App& app);
[[nodiscard]] Command add_analyze(CLI::App& app);
[[nodiscard]] Command add_witness(CLI::App& app);
/// `command_line`: what the user wrote after "--".
[[nodiscard]] Command add_replay(CLI::App& app, std::vector<std::string> command_line);
[[nodiscard]] Command add_lsp(CLI::App& app);
[[nodiscard]] Command add_status(CLI::App& app);
[[nodiscard]] Command add_stop(CLI::App& app);
[[nodiscard]] Command add_info(CLI::App& app);
[[nodiscard]] Command add_convert(CLI::App& app);
[[nodiscard]] Command add_dump(CLI::App& app);
[[nodiscard]] Command add_generate(CLI::App& app);

} // namespace heddle::cli
