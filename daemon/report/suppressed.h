// Which findings of an analysis are suppressed, and by what.
#pragma once

#include "analysis/analyze.h"

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace heddle::report {

class Suppressed {
  public:
    Suppressed() = default;
    /// By finding, what suppresses it (".heddle/suppressions:3"); empty: nothing.
    explicit Suppressed(std::vector<std::string> by) : by_(std::move(by)) {}

    [[nodiscard]] bool is(std::size_t finding) const { return finding < by_.size() && !by_[finding].empty(); }
    [[nodiscard]] const std::string& by(std::size_t finding) const { return by_[finding]; }

    /// How many, not counting what cannot happen anyway.
    [[nodiscard]] std::size_t count(const Analysis& analysis) const {
        std::size_t count = 0;
        for (std::size_t i = 0; i < by_.size(); ++i) {
            if (is(i) && !std::holds_alternative<Refuted>(analysis.findings[i].verdict)) ++count;
        }
        return count;
    }

  private:
    std::vector<std::string> by_;
};

} // namespace heddle::report
