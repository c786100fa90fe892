// The functions and variables that a binary's symbol table names, by address.
#pragma once

#include "daemon/symbols/elf_image.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace heddle::symbols {

class SymbolTable {
  public:
    struct Symbol {
        std::uint64_t address = 0;
        std::uint64_t size = 0; ///< 0: up to the next symbol
        std::string_view name;  ///< as the linker knows it
    };

    SymbolTable() = default;
    /// Names are valid as long as the image. Takes .symtab, or .dynsym when there is no other.
    explicit SymbolTable(const ElfImage& image);

    /// The symbol that an address lies in, or null.
    [[nodiscard]] const Symbol* function_at(std::uint64_t address) const;
    [[nodiscard]] const Symbol* variable_at(std::uint64_t address) const;
    [[nodiscard]] bool empty() const { return functions_.empty() && variables_.empty(); }

  private:
    std::vector<Symbol> functions_; ///< by address
    std::vector<Symbol> variables_;
};

} // namespace heddle::symbols
