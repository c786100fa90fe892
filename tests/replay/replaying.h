// Records and replays programs with the command itself, for tests.
#pragma once

#include "run_program.h"
#include "test_files.h"

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace heddle::test {

/// Bounds what would otherwise never end.
inline Ran heddle(std::vector<std::string> words) {
    words.insert(words.begin(), {"/usr/bin/timeout", "120", HEDDLE_PROGRAM});
    return run_program(std::move(words));
}

/// Whether one of some runs ended with the status; its trace is then in the file.
inline bool record(const std::vector<std::string>& command, const std::string& trace, int status = 0) {
    for (int attempt = 0; attempt < 8; ++attempt) {
        std::vector<std::string> words = {"record", "--quiet", "--output", trace, "--"};
        words.insert(words.end(), command.begin(), command.end());
        if (heddle(words).status == status) return true;
    }
    return false;
}

inline nlohmann::json findings_in(const std::string& trace) {
    return nlohmann::json::parse(heddle({"analyze", "--format", "json", trace}).out).at("findings");
}

} // namespace heddle::test
