// Loads traces for the commands that speak to people: code addresses become functions, files and lines, and
// what could not be resolved is noted, once for each binary however many traces it is in.
#pragma once

#include "daemon/symbols/symboliser.h"
#include "traces/load.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace heddle::cli {

struct SymbolFlags {
    bool off = false;
    std::vector<std::string> debug_folders;
    bool system_lines = false; ///< those of the system's libraries, too
};

/// --no-symbols and --debug-dir.
void add_symbol_options(CLI::App& command, SymbolFlags& flags);

class Loading {
  public:
    explicit Loading(SymbolFlags flags);

    struct Loaded : LoadedTrace {
        /// What is known of each module of the trace, in a word or two; empty when symbols are off.
        std::vector<std::string> module_states;
    };

    [[nodiscard]] Result<Loaded> load(const std::string& path, const LoadOptions& options);

  private:
    SymbolFlags flags_;
    symbols::Symboliser symboliser_;
    std::vector<bool> noted_; ///< by module of the symboliser
};

} // namespace heddle::cli
