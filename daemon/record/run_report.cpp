#include "daemon/record/run_report.h"

#include <fstream>

#include <nlohmann/json.hpp>

namespace heddle::record {

std::vector<RecordedProcess> read_run_report(const std::string& path) {
    std::vector<RecordedProcess> result;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
        if (!json.is_object()) continue;
        try {
            result.push_back({.process = json.value("pid", pid_t{0}),
                              .program = json.value("program", ""),
                              .trace = json.value("trace", ""),
                              .threads = json.value("threads", std::uint64_t{0}),
                              .events_seen = json.value("events_seen", std::uint64_t{0}),
                              .events_kept = json.value("events_kept", std::uint64_t{0}),
                              .bytes = json.value("bytes", std::uint64_t{0}),
                              .problem = json.value("problem", "")});
        } catch (const nlohmann::json::exception&) {
            continue; // a field of another type than the recorder gives it
        }
    }
    return result;
}

} // namespace heddle::record
