#include "daemon/cli/progress_bar.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace heddle::cli {

namespace {
constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr std::size_t kWidth = 30;
} // namespace

ProgressBar::ProgressBar(std::string what)
    : what_(std::move(what)), on_terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
    if (shown_) fmt::print(stderr, "\r\033[K");
}

Progress ProgressBar::progress() {
    return [this](std::uint64_t done, std::uint64_t total) {
        if (on_terminal_ && total > 0 && Clock::now() >= next_) show(std::min(done, total), total);
        return true;
    };
}

void ProgressBar::show(std::uint64_t done, std::uint64_t total) {
    next_ = Clock::now() + kRedraw;
    shown_ = true;
    const double share = static_cast<double>(done) / static_cast<double>(total);
    const auto filled = static_cast<std::size_t>(share * static_cast<double>(kWidth));
    fmt::print(stderr, "\r{} [{}{}] {:3.0f} %\033[K", what_, std::string(filled, '#'),
               std::string(kWidth - filled, ' '), share * 100);
    std::fflush(stderr);
}

} // namespace heddle::cli
