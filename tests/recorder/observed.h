// A recorded trace as the steps that the comments of a test program describe (expectations.h).
#pragma once

#include "expectations.h"
#include "traces/trace.h"

#include <map>
#include <string>
#include <vector>

namespace heddle::test {

struct Observed {
    std::map<std::string, std::vector<Step>>
        steps; ///< by thread; without begin, end, alloc, free and what only one thread uses
    std::map<std::string, std::string> thread_names; ///< of those that have one
    std::map<std::string, std::string> stacks;       ///< by text_of(step) without value and line
    std::map<std::string, std::string> blocks;       ///< by the name of a variable or lock: what holds it
    std::vector<std::string> problems; ///< lives of threads and blocks that are not as they should be
};

/// `program` is the executable, `source` its source's file name; `expected` says what to ignore.
[[nodiscard]] Observed observe(const Trace& trace, const std::string& program, const std::string& source,
                               const Expectations& expected);

} // namespace heddle::test
