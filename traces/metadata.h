// What is known of a recorded run as a whole.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

struct Metadata {
    std::vector<std::string> command;
    std::string test; ///< the test's name, when one test is one trace
    std::optional<std::int64_t> start_time_unix_ns;
    std::optional<std::uint64_t> duration_ns;
    std::optional<std::int32_t> exit_status;     ///< as a shell shows it: 128 + n for signal n
    std::map<std::string, std::string> settings; ///< of the recorder or generator that made the trace

    bool operator==(const Metadata&) const = default;
};

} // namespace heddle
