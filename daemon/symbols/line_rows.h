// Which line of the source each instruction of a unit comes from.
#pragma once

#include "daemon/symbols/elf_image.h"
#include "daemon/symbols/line_program.h"
#include "traces/id.h"

#include <cstdint>
#include <span>
#include <vector>

#include <elfutils/libdw.h>

namespace heddle::symbols {

class UnitFiles;

class LineRows {
  public:
    /// Instructions from `address` up to the next row.
    struct Row {
        std::uint64_t address = 0;
        StringId file; ///< invalid: no code of this unit is here
        std::uint32_t line = 0;
        std::uint32_t column = 0;
    };

    LineRows() = default;
    /// `program`: the section .debug_line. Sequences that are not all in `code` are about code that the
    /// linker left out.
    LineRows(Dwarf_Die unit, std::span<const std::uint8_t> program, UnitFiles& files, AddressRange code);

    /// The row of an address, or null. O(log rows).
    [[nodiscard]] const Row* find(std::uint64_t address) const;

  private:
    void add(const LineSequence& sequence, UnitFiles& files);
    void add(const Row& row);

    std::vector<Row> rows_; ///< by address
};

} // namespace heddle::symbols
