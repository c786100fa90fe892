// Findings that the user does not want to see, for the commands that print them.
#pragma once

#include "analysis/analyze.h"
#include "daemon/report/suppressed.h"
#include "daemon/settings/suppressions.h"
#include "traces/result.h"
#include "traces/trace.h"

#include <string>

namespace CLI {
class App;
}

namespace heddle::cli {

struct SuppressionFlags {
    std::string file; ///< empty: the usual one, if it is there
    bool show = false;
};

/// --suppressions and --show-suppressed.
void add_suppression_options(CLI::App& command, SuppressionFlags& flags);

class SuppressionFile {
  public:
    /// Notes the lines that are wrong. A file that was named must be there.
    [[nodiscard]] static Result<SuppressionFile> load(const SuppressionFlags& flags);

    /// By the file, or by comments in the sources, as far as they are where the trace says.
    [[nodiscard]] report::Suppressed of(const Trace& trace, const Analysis& analysis) const;

  private:
    std::string path_;
    settings::Suppressions suppressions_;
};

} // namespace heddle::cli
