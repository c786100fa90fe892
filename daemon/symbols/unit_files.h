// The source files that one unit of debug information numbers.
#pragma once

#include "daemon/symbols/source_paths.h"
#include "traces/string_table.h"

#include <cstddef>
#include <vector>

#include <elfutils/libdw.h>

namespace heddle::symbols {

class UnitFiles {
  public:
    UnitFiles(Dwarf_Die unit, const SourcePaths& paths, StringTable& strings);

    /// The path of a file, as it is shown; empty when the unit has no such file.
    [[nodiscard]] StringId path(std::size_t number);

  private:
    const SourcePaths& paths_;
    StringTable& strings_;
    std::string_view folder_; ///< that the unit was compiled in
    Dwarf_Files* files_ = nullptr;
    std::vector<StringId> known_;
};

} // namespace heddle::symbols
