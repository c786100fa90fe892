// When long work should stop: on Ctrl-C, when its time is over, or when it has taken too much memory. The
// first Ctrl-C asks the work to stop and tell what it knows; a second one ends the program as always.
#pragma once

#include "traces/progress.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace heddle::cli {

/// Memory of this program; 0 when the system does not tell.
[[nodiscard]] std::uint64_t resident_mebibytes();

class Budget {
  public:
    struct Limits {
        std::optional<double> seconds;
        std::optional<std::uint64_t> mebibytes; ///< resident memory of the program
    };

    explicit Budget(Limits limits);
    ~Budget();
    Budget(const Budget&) = delete;
    Budget& operator=(const Budget&) = delete;
    Budget(Budget&&) = delete;
    Budget& operator=(Budget&&) = delete;

    /// Reports to `inner` as well.
    [[nodiscard]] Progress progress(Progress inner);
    /// Why it asked to stop, in words; empty if it did not.
    [[nodiscard]] const std::string& stopped() const { return stopped_; }

  private:
    [[nodiscard]] bool exhausted();

    Limits limits_;
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    std::string stopped_;
};

} // namespace heddle::cli
