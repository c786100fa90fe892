// What the debug information of a test program says about addresses within it: lines, functions, variables.
// Independent of the code under test: read with elfutils' libdwfl.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace heddle::test {

class DebugInfo {
  public:
    explicit DebugInfo(const std::string& program);
    ~DebugInfo();
    DebugInfo(const DebugInfo&) = delete;
    DebugInfo& operator=(const DebugInfo&) = delete;
    DebugInfo(DebugInfo&&) = delete;
    DebugInfo& operator=(DebugInfo&&) = delete;

    /// The line of `source` (a file name without folders) that the code belongs to, through inlined calls; 0:
    /// none.
    [[nodiscard]] unsigned line_of(std::uint64_t code, const std::string& source) const;
    /// Empty when no function is there.
    [[nodiscard]] std::string function_of(std::uint64_t code) const;
    /// "x", "x+8", or empty when no variable is there.
    [[nodiscard]] std::string variable_at(std::uint64_t address) const;

  private:
    struct Variable {
        std::string name;
        std::uint64_t size = 0;
    };
    struct Library;

    void read_variables();

    std::unique_ptr<Library> library_;
    std::map<std::uint64_t, Variable> variables_; ///< by address
};

} // namespace heddle::test
