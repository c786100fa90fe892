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
        std::uint64_t size = 0;
        std::string_view name; ///< as the linker knows it
    };

    SymbolTable() = default;
    /// Names are valid as long as the image. Takes .symtab, or .dynsym when there is no other.
    explicit SymbolTable(const ElfImage& image);

    /// The symbol that an address lies in, or null.
    [[nodiscard]] const Symbol* function_at(std::uint64_t address) const;
    /// The linker's name of the function that begins at an address, of which debug information says only what
    /// its source calls it; empty if there is none. Other symbols at the address are other names of the code.
    [[nodiscard]] std::string_view linkage_name_at(std::uint64_t address, std::string_view source_name) const;
    [[nodiscard]] const Symbol* variable_at(std::uint64_t address) const;
    [[nodiscard]] bool empty() const { return functions_.empty() && variables_.empty(); }

  private:
    std::vector<Symbol> functions_; ///< by address; of several at one address, the first stands for all
    std::vector<Symbol> variables_;
};

} // namespace heddle::symbols
