// Which finding of which trace a command is about, as a user names it.
#pragma once

#include "analysis/analyze.h"
#include "traces/result.h"

#include <cstddef>
#include <string>

namespace heddle::cli {

struct ChosenFinding {
    std::string trace;
    std::size_t number = 0;
};

/// In either order. An empty trace is the only one in kRecordings.
[[nodiscard]] Result<ChosenFinding> choose_finding(const std::string& trace, const std::string& id);

/// Where in the analysis the finding with that number is. It must have a witness.
[[nodiscard]] Result<std::size_t> find_witnessed(const std::string& path, const Analysis& analysis,
                                                 std::size_t number);

} // namespace heddle::cli
