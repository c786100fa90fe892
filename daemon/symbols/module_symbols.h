// What is known of the code of one binary that was loaded when a run was recorded.
//
// The binary at the recorded path may have been stripped, rebuilt or removed since. Nothing is told from a
// file that is not proven to be the recorded build; how that went is the module's state, with a sentence that
// says what to do about it.
#pragma once

#include "daemon/symbols/debug_files.h"
#include "daemon/symbols/dwarf_index.h"
#include "daemon/symbols/elf_image.h"
#include "daemon/symbols/source_paths.h"
#include "daemon/symbols/symbol_table.h"
#include "traces/string_table.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::symbols {

/// A binary as a trace tells of it.
struct RecordedModule {
    std::string path;
    std::string build_id;                    ///< lower-case hex; empty when the binary had none
    std::optional<std::int64_t> recorded_ns; ///< when the run began, since 1970
};

enum class ModuleState : std::uint8_t {
    known,        ///< functions, files and lines
    symbols_only, ///< functions; it has no debug information, or is the system's
    stripped,     ///< at most the functions that it exports
    rebuilt,      ///< the file at its path is another build
    unproven,     ///< it has no build-id, and the file at its path may be another
    gone,         ///< there is no file at its path
    unreadable,   ///< the file, or its debug information, is damaged or of another kind
};
inline constexpr std::size_t kModuleStates = 7;

[[nodiscard]] std::string_view module_state_name(ModuleState state);

class ModuleSymbols {
  public:
    /// Opens files. All references must outlive the module.
    ModuleSymbols(const RecordedModule& recorded, const DebugFolders& folders, const SourcePaths& paths,
                  StringTable& strings);

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] ModuleState state() const { return state_; }
    /// What is missing and how to get it, in a sentence; empty when nothing is missing.
    [[nodiscard]] std::string note() const;
    /// Whether the note is about something the user made, and not a library of the system that has no debug
    /// information, as most have not.
    [[nodiscard]] bool worth_telling() const;

    /// Whether an address of the binary is one of those that it takes in memory; its end is not looked at.
    [[nodiscard]] bool may_have(std::uint64_t address) const;

    /// Adds the frames of an address of the binary, innermost first. Nothing when nothing is known of it.
    void find(std::uint64_t address, std::vector<SourceFrame>& frames);

    /// What the program calls these addresses of the binary: a variable or a member of one.
    [[nodiscard]] std::optional<NamedBytes> static_variable(ByteSpan bytes);
    /// What the function that has `code` calls these addresses of the process, in a frame of its own.
    [[nodiscard]] std::optional<NamedBytes> frame_variable(std::uint64_t code, const CallFrame& frame,
                                                           ByteSpan bytes);

  private:
    void open(const RecordedModule& recorded, const DebugFolders& folders);
    void open_debug_file(const RecordedModule& recorded, const DebugFolders& folders, bool same_build);

    std::string path_;
    bool is_of_the_system_;
    ModuleState state_ = ModuleState::gone;
    std::string detail_; ///< for the note
    StringTable& strings_;
    std::optional<ElfImage> binary_; ///< only if it is the recorded build
    std::optional<ElfImage> debug_;  ///< that was split off the recorded build
    SymbolTable symbols_;
    std::unique_ptr<DwarfIndex> index_; ///< null: no debug information
};

} // namespace heddle::symbols
