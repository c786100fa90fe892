// An analysis in numbers: the columns of the tables in the papers that the analyses come from.
#pragma once

#include "analysis/analyze.h"
#include "traces/trace.h"

#include <array>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace heddle::cli {

/// In seconds, without reading the file.
struct AnalysisTimes {
    double all = 0;
    /// Of each kind alone, when that was measured.
    std::optional<std::array<double, kFindingKinds>> of_kind;
};

[[nodiscard]] std::string stats_text(const Trace& trace, const Analysis& analysis,
                                     const AnalysisTimes& times);
[[nodiscard]] nlohmann::json stats_json(const Trace& trace, const Analysis& analysis,
                                        const AnalysisTimes& times);

} // namespace heddle::cli
