// What is known already: an earlier report, whose findings are not told again.
#pragma once

#include "analysis/analyze.h"
#include "daemon/report/suppressed.h"
#include "traces/result.h"
#include "traces/trace.h"

#include <set>
#include <string>

namespace heddle::cli {

class Baseline {
  public:
    /// Of what `heddle analyze --format json` or `sarif` printed. No path: nothing is known.
    [[nodiscard]] static Result<Baseline> load(const std::string& path);

    /// `suppressed`, and what is in the earlier report.
    [[nodiscard]] report::Suppressed and_known(const Trace& trace, const Analysis& analysis,
                                               const report::Suppressed& suppressed) const;

  private:
    std::string path_;
    std::set<std::string> fingerprints_;
};

} // namespace heddle::cli
