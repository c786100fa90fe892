#include "daemon/cli/loading.h"

#include "daemon/symbols/symbolised.h"

#include <filesystem>
#include <utility>

#include <CLI/CLI.hpp>

namespace heddle::cli {

namespace {

symbols::Symboliser::Options options_of(const SymbolFlags& flags) {
    std::error_code error;
    symbols::Symboliser::Options options{.shown_from = std::filesystem::current_path(error).string(),
                                         .debug_folders = {}};
    auto& roots = options.debug_folders.roots;
    options.debug_folders.system_lines = flags.system_lines;
    roots.insert(roots.begin(), flags.debug_folders.begin(), flags.debug_folders.end());
    return options;
}

} // namespace

void add_symbol_options(CLI::App& command, SymbolFlags& flags) {
    command.add_flag("--no-symbols", flags.off, "Leave code addresses as they are; read no binaries");
    command
        .add_option("--debug-dir", flags.debug_folders,
                    "Look here, too, for binaries that were moved and for separate debug files")
        ->type_name("FOLDER")
        ->allow_extra_args(false) // what follows is a file
        ->check(CLI::ExistingDirectory);
    command.add_flag("--system-lines", flags.system_lines,
                     "Tell lines in the system's libraries, too, if their debug information is installed");
}

Loading::Loading(SymbolFlags flags) : flags_(std::move(flags)), symboliser_(options_of(flags_)) {}

Result<Loading::Loaded> Loading::load(const std::string& path, const LoadOptions& options) {
    auto loaded = load_trace(path, options);
    if (!loaded) return tl::make_unexpected(loaded.error());
    Loaded result{std::move(*loaded), {}};
    if (flags_.off) return result;
    const symbols::SymbolisedTrace told = symbols::symbolised(result.trace, symboliser_);
    result.trace = told.trace;
    for (const symbols::ModuleNumber number : told.modules) {
        const symbols::ModuleSymbols& module = symboliser_[number];
        result.module_states.emplace_back(symbols::module_state_name(module.state()));
        noted_.resize(std::max<std::size_t>(noted_.size(), number + 1));
        if (noted_[number]) continue;
        noted_[number] = true;
        if (module.worth_telling()) result.notes.push_back(module.note());
    }
    return result;
}

} // namespace heddle::cli
