// Runs the line number program of a unit (DWARF 2 to 5) and gives out its rows sequence by sequence: the code
// of one section of an object file, which linkers keep or leave out as a whole. libdw has the rows of all
// sequences sorted by address, where those of code that was left out cannot be told from others.
//
// Copes with damaged input: what cannot be read is absent. O(bytes of the program).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heddle::symbols {

/// Instructions from `address` up to the next row come from this line.
struct ProgramRow {
    std::uint64_t address = 0;
    std::uint64_t file = 0; ///< as the unit numbers them
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

struct LineSequence {
    std::vector<ProgramRow> rows; ///< as the program has them
    std::uint64_t end = 0;        ///< the address after the last instruction
};

/// The sequences of the program at `offset` of a section .debug_line.
[[nodiscard]] std::vector<LineSequence> run_line_program(std::span<const std::uint8_t> section,
                                                         std::uint64_t offset);

} // namespace heddle::symbols
