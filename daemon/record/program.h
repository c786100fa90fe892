// The program a user asks to record: where it is, and whether the recorder can see into it. Reads files;
// runs nothing.
#pragma once

#include "daemon/record/elf_file.h"
#include "traces/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::record {

enum class Recordable : std::uint8_t {
    yes,            ///< it will load the recorder
    depends,        ///< a script: what it starts may load the recorder
    other_runtime,  ///< another runtime is linked into it, and would run instead
    static_plain,   ///< no instrumentation, and nothing is loaded at run time
    plain,          ///< no instrumentation in it or in the libraries it loads
    other_machine,  ///< for another processor
    unknown_format, ///< neither ELF nor a script
};

struct Program {
    std::string path;
    Recordable recordable = Recordable::unknown_format;
    /// Only libraries of it are instrumented. The loader would bring in the recorder after the C library,
    /// where it sees nothing of it; it has to come first.
    bool wants_preload = false;
};

enum class ProgramProblem : std::uint8_t { not_found, not_executable };

struct ProgramError {
    ProgramProblem problem = ProgramProblem::not_found;
    std::string message;
};

/// Finds `name` as a shell would: a path if it has a slash, else in $PATH.
[[nodiscard]] tl::expected<std::string, ProgramError> find_program(const std::string& name);

/// `library_path`: the value of LD_LIBRARY_PATH that the program will be given, without the recorder's.
[[nodiscard]] Result<Program> inspect_program(const std::string& path, const std::string& library_path);

} // namespace heddle::record
