// Findings as one page for a browser: self-contained, so that it can be kept with the results of a test run.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace heddle::report {

/// The page without its data: "<!--data-->" stands for them (editors/report-page).
extern const char* const kReportPage;

/// `reports` is a list of what `heddle analyze --format json` prints for one file. Excerpts are taken from
/// the source files as they are now; files that are not there have none.
[[nodiscard]] std::string html_page(nlohmann::json reports);

} // namespace heddle::report
