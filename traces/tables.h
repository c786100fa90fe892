// The rows of a trace's tables: what ids refer to. Strings are ids here too; Trace::string resolves them.
#pragma once

#include "traces/event.h"
#include "traces/id.h"

#include <cstdint>
#include <string_view>

namespace heddle {

/// A thread, lock, variable, … Identities are never recycled: memory or an OS handle that is used again
/// is a new row. `name` is what the program or the writer of the trace calls it; it may be empty.
struct Object {
    StringId name{0U};
    BlockId block;             ///< the allocation or function call whose memory it lies in, if known
    std::uint64_t address = 0; ///< 0: not known. Of a thread: what the operating system calls it
    std::uint64_t size = 0;    ///< 0: not known

    bool operator==(const Object&) const = default;
};

/// What a part of a variable is called: two small variables of the program can share the 8 bytes of one here.
struct VariablePart {
    VarId variable;
    ByteRange bytes;
    StringId name{0U};

    bool operator==(const VariablePart&) const = default;
};

/// The name of blocks that are the memory of one call of a function. Their alloc event has the call stack of
/// the function's entry; with a size, the block ends where debug information puts the frame's base (the CFA).
inline constexpr std::string_view kFrameName = "frame";

/// A loaded binary.
struct Module {
    StringId path{0U};
    StringId build_id{0U}; ///< lower-case hex; empty when the binary has none
    std::uint64_t base = 0;
    std::uint64_t size = 0;

    bool operator==(const Module&) const = default;
};

/// A point in the program: code (module and offset), source (file, line, column), or both once resolved.
/// Traces from other tools may have only a label.
struct Place {
    StringId label{0U};
    StringId function{0U};
    StringId file{0U};
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    ModuleId module;
    std::uint64_t offset = 0;

    bool operator==(const Place&) const = default;
};

/// A call stack as a path to the root: the place itself, and the stack of its caller. An event's place
/// is the place of its stack's innermost frame.
struct Stack {
    PlaceId place;
    StackId caller;

    bool operator==(const Stack&) const = default;
};

/// Whether a person looks at a place in this file, and not at the call that led there: not in headers of the
/// system. Sources may lie below /usr, too.
[[nodiscard]] constexpr bool is_for_people(std::string_view file) {
    const auto below = [&](std::string_view folder) { return file.starts_with(folder); };
    const bool system =
        below("/usr/") && !below("/usr/src/") && !below("/usr/local/src/") && !below("/usr/home/");
    return !file.empty() && !system;
}

/// An atomic_rmw of more than four bytes, whose two values do not fit the value column.
struct WideRmw {
    std::uint64_t read = 0;
    std::uint64_t written = 0;

    bool operator==(const WideRmw&) const = default;
};

} // namespace heddle
