// A progress bar on a terminal, for work that turns out to take more than a second. Prints nothing when
// standard error is not a terminal, and leaves nothing behind.
#pragma once

#include "traces/progress.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

namespace heddle::cli {

class ProgressBar {
  public:
    explicit ProgressBar(std::string what);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;
    ProgressBar(ProgressBar&&) = delete;
    ProgressBar& operator=(ProgressBar&&) = delete;

    /// To hand to the work; must not outlive the bar.
    [[nodiscard]] Progress progress();

  private:
    using Clock = std::chrono::steady_clock;

    void show(std::uint64_t done, std::uint64_t total);

    std::string what_;
    bool on_terminal_;
    Clock::time_point started_ = Clock::now();
    Clock::time_point next_ = started_ + std::chrono::seconds(1);
    bool shown_ = false;
};

/// Runs work(progress) under a bar, and removes the bar before anything else is printed.
template<typename Work>
auto with_progress(std::string what, Work&& work) {
    ProgressBar bar(std::move(what));
    return std::forward<Work>(work)(bar.progress());
}

} // namespace heddle::cli
