// Builds small programs while tests run, asks tools about them, and compares what binutils say.
#pragma once

#include "daemon/symbols/symboliser.h"
#include "run_program.h"
#include "test_files.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::test {

/// Runs a line in a shell, in a folder; fails the test when it fails. Tells what the line printed.
std::string shell(const std::string& folder, const std::string& line);

/// A program compiled from tests/daemon/subjects in a temporary folder.
class SubjectProgram {
  public:
    /// `compiler`: g++ or clang++. The program is called "shop", whatever its source is.
    explicit SubjectProgram(const std::string& compiler = "g++", const std::string& flags = "-O1 -g",
                            const std::string& source = "shop.cpp");

    [[nodiscard]] std::string path() const { return folder_.file("shop"); }
    [[nodiscard]] std::string folder() const { return folder_.file(""); }
    [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }
    std::string run(const std::string& line) const { return shell(folder(), line); }
    /// The address of a symbol, by nm, in the program as it was when one was first asked for.
    [[nodiscard]] std::uint64_t address_of(const std::string& symbol) const;

  private:
    TemporaryFolder folder_;
    mutable std::map<std::string, std::uint64_t>
        addresses_; ///< those that nm told of, once one was asked for
};

/// One line of a call chain, as addr2line prints it.
struct ToolFrame {
    std::string function;
    std::string file; ///< without ".." and the like; empty: not known
    unsigned line = 0;

    bool operator==(const ToolFrame&) const = default;
};
using ToolFrames = std::vector<ToolFrame>;

/// What `addr2line -i -f -C` says of each address.
std::vector<ToolFrames> addr2line(const std::string& binary, const std::vector<std::uint64_t>& addresses);
/// What llvm-symbolizer says.
std::vector<ToolFrames> llvm_symbolizer(const std::string& binary,
                                        const std::vector<std::uint64_t>& addresses);
/// What Heddle says.
std::vector<ToolFrames> heddle_says(const std::string& binary, const std::vector<std::uint64_t>& addresses);

/// The addresses of a section of a binary, [first, second).
std::pair<std::uint64_t, std::uint64_t> section_of(const std::string& binary, const std::string& name);

/// Whether two tools name the same function. They spell it differently in known ways: debug information often
/// has a name without the namespaces and classes around it, which Heddle adds; demanglers disagree on
/// parentheses, lambdas and the types that functions return; parts of a function have names of their own
/// ("main.cold").
bool same_function(const std::string& heddle, const std::string& other);

} // namespace heddle::test
