// What the commands that analyse traces have in common: their options, and the way from a file to findings.
#pragma once

#include "analysis/analyze.h"
#include "daemon/cli/analysis_stats.h"
#include "daemon/cli/budget.h"
#include "daemon/cli/loading.h"
#include "traces/result.h"

#include <cstddef>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace heddle::cli {

/// Where `heddle record` puts traces.
inline constexpr const char* kRecordings = ".heddle/traces";

struct AnalysisFlags {
    std::vector<std::string> properties = {"race", "atomicity", "deadlock"};
    bool no_witness = false;
    bool no_inferred = false;  ///< only what is marked in the source
    double witness_budget = 1; ///< of the usual
    bool show_refuted = false;
    bool all_ways = false;
    bool time_kinds = false; ///< also analyse each kind alone, to tell how long it takes
    std::size_t jobs = 0;
    std::size_t max_findings = AnalyzeOptions{}.max_findings;
    Budget::Limits limits;
    SymbolFlags symbols;
};

/// Adds those of the options that do not change what is printed.
void add_analysis_options(CLI::App& command, AnalysisFlags& flags);

/// The traces in kRecordings, by name.
[[nodiscard]] std::vector<std::string> recordings();

struct AnalysedTrace {
    LoadedTrace loaded;
    Analysis analysis;
    AnalysisTimes times;
};

/// Shows how far it is, and prints notes and damage.
[[nodiscard]] Result<AnalysedTrace> analyse_file(const std::string& path, const AnalysisFlags& flags,
                                                 Loading& loading, Budget& budget);

} // namespace heddle::cli
