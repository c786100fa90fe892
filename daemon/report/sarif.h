// Findings in SARIF 2.1.0, the format that code hosting sites and editors read.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace heddle::report {

/// Under this name results have their fingerprint.
inline constexpr const char* kFingerprintName = "heddle/v1";

/// `reports` is a list of what `heddle analyze --format json` prints for one file. All are one run, as sites
/// take few runs in an upload: a finding that several files have is one result. A witness becomes a code flow
/// with one thread flow a thread.
[[nodiscard]] nlohmann::json sarif(const nlohmann::json& reports, const std::string& version);

} // namespace heddle::report
