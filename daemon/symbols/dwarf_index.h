// From code addresses of one file to lines and functions, by its debug information. Opening it reads which
// unit covers which addresses; a unit's own tables are made when one of its addresses is first asked for,
// after which an address takes three binary searches.
#pragma once

#include "daemon/symbols/elf_image.h"
#include "daemon/symbols/frame_variables.h"
#include "daemon/symbols/source_paths.h"
#include "daemon/symbols/static_variables.h"
#include "daemon/symbols/symbol_table.h"
#include "traces/string_table.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace heddle::symbols {

/// A function, and where in it an instruction or a call is.
struct SourceFrame {
    StringId function{0U}; ///< demangled, with its parameters
    StringId file{0U};
    std::uint32_t line = 0; ///< 0: not known
    std::uint32_t column = 0;

    bool operator==(const SourceFrame&) const = default;
};

class DwarfIndex {
  public:
    /// All references must outlive the index.
    DwarfIndex(const ElfImage& image, const SymbolTable& symbols, const SourcePaths& paths,
               StringTable& strings);
    ~DwarfIndex();
    DwarfIndex(const DwarfIndex&) = delete;
    DwarfIndex& operator=(const DwarfIndex&) = delete;
    DwarfIndex(DwarfIndex&&) = delete;
    DwarfIndex& operator=(DwarfIndex&&) = delete;

    /// Whether there is any debug information that can be read.
    [[nodiscard]] bool usable() const;
    /// Units whose debug information is in .dwo files that are not where they were made.
    [[nodiscard]] std::size_t units_elsewhere() const;

    /// Adds the frames of an address, innermost first: the instruction's own, then the functions that it was
    /// inlined into. Nothing when no unit covers the address.
    void find(std::uint64_t address, std::vector<SourceFrame>& frames);

    /// The variable, or member of one, that is at these addresses of the binary. The first call goes through
    /// all debug information.
    [[nodiscard]] std::optional<NamedBytes> static_variable(ByteSpan bytes);
    /// The local variable that is at these addresses of the recorded process, in a frame of the function that
    /// the code belongs to.
    [[nodiscard]] std::optional<NamedBytes> frame_variable(std::uint64_t code, const CallFrame& frame,
                                                           ByteSpan bytes);

  private:
    class Units;
    std::unique_ptr<Units> units_;
};

} // namespace heddle::symbols
