// From module and offset to functions, files and lines, for all binaries of all recordings.
//
// Opens each binary once, when its first address is asked for, and remembers every address: asking again
// takes a look into one table. Not for several threads at once. Reads files; never changes or runs anything.
#pragma once

#include "daemon/symbols/debug_files.h"
#include "daemon/symbols/module_symbols.h"
#include "daemon/symbols/source_paths.h"
#include "traces/hash_index.h"
#include "traces/id.h"
#include "traces/string_table.h"

#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

namespace heddle::symbols {

using LocationId = Id<struct LocationTag>;

/// Where in the source an instruction comes from: a function and a line of it, and, if the compiler put that
/// function in line, where it was called. Equal locations have equal ids.
struct Location {
    SourceFrame frame;
    LocationId inlined_into; ///< invalid: a function of its own

    bool operator==(const Location&) const = default;
};

using ModuleNumber = std::uint32_t;

class Symboliser {
  public:
    struct Options {
        std::string shown_from; ///< source files below this folder are told relative to it
        DebugFolders debug_folders;
    };

    explicit Symboliser(Options options = {});

    /// The same number for the same binary. Opens its files.
    [[nodiscard]] ModuleNumber module(const RecordedModule& recorded);
    [[nodiscard]] ModuleSymbols& operator[](ModuleNumber number) { return modules_[number]; }

    /// Where an address of the binary comes from. Offsets are as the recorder writes them: addresses as the
    /// binary's own symbol table has them, in the instruction itself or, for calls, in the call (not after
    /// it). Invalid when nothing is known.
    [[nodiscard]] LocationId locate(ModuleNumber module, std::uint64_t offset);
    [[nodiscard]] const Location& operator[](LocationId id) const { return locations_[id.value]; }
    [[nodiscard]] std::string_view text(StringId id) const { return strings_[id]; }

  private:
    struct Asked {
        std::uint64_t offset = 0;
        ModuleNumber module = 0;
        LocationId location;
    };

    [[nodiscard]] LocationId find(ModuleNumber module, std::uint64_t offset);
    [[nodiscard]] LocationId intern(const Location& location);

    Options options_;
    SourcePaths paths_;
    StringTable strings_;
    std::deque<ModuleSymbols> modules_;
    std::vector<RecordedModule> recorded_; ///< by module
    std::vector<Location> locations_;
    HashIndex location_index_;
    std::vector<Asked> asked_;
    HashIndex asked_index_;
    std::vector<SourceFrame> frames_; ///< of the address being looked up
};

} // namespace heddle::symbols
