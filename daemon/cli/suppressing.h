// Findings that the user does not want to see, for the commands that print them.
#pragma once

#include "analysis/analyze.h"
#include "daemon/settings/suppressions.h"
#include "traces/result.h"
#include "traces/trace.h"

#include <cstddef>
#include <string>
#include <vector>

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

/// Which findings of an analysis are suppressed, and by what.
class Suppressed {
  public:
    [[nodiscard]] bool is(std::size_t finding) const { return finding < by_.size() && !by_[finding].empty(); }
    /// ".heddle/suppressions:3"
    [[nodiscard]] const std::string& by(std::size_t finding) const { return by_[finding]; }

    /// How many, not counting what cannot happen anyway.
    [[nodiscard]] std::size_t count(const Analysis& analysis) const;

  private:
    friend class SuppressionFile;
    std::vector<std::string> by_; ///< by finding; empty: it is not
};

class SuppressionFile {
  public:
    /// Notes the lines that are wrong. A file that was named must be there.
    [[nodiscard]] static Result<SuppressionFile> load(const SuppressionFlags& flags);

    [[nodiscard]] Suppressed of(const Trace& trace, const Analysis& analysis) const;

  private:
    std::string path_;
    settings::Suppressions suppressions_;
};

} // namespace heddle::cli
