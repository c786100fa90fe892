// While it lives, SIGINT, SIGTERM and SIGHUP are only noted, so that what was started can be ended first.
#pragma once

#include <array>
#include <csignal>

namespace heddle::cli {

class StopSignals {
  public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;
    StopSignals(StopSignals&&) = delete;
    StopSignals& operator=(StopSignals&&) = delete;

    /// Whether one came since the object was made.
    [[nodiscard]] static bool arrived();

  private:
    std::array<struct sigaction, 3> before_{};
};

} // namespace heddle::cli
