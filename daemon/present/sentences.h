// What is said of a finding in one sentence, from the point of view of one of its places.
#pragma once

#include "daemon/report/report.h"

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::present {

/// "Data race on 'x': this write holds nothing, the read at bank.cpp:67 in audit holds 'mu'."
[[nodiscard]] std::string sentence(const report::ReportedFinding& finding, std::size_t access);

/// "3/6 T3 audit: lock mu"
[[nodiscard]] std::string step_sentence(const report::ReportedFinding& finding, std::size_t step);

/// "bank.cpp:67 in audit", or what is known of it.
[[nodiscard]] std::string place_words(const report::SourcePlace& place);

} // namespace heddle::present
