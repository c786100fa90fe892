#include "daemon/cli/budget.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace heddle::cli {

namespace {

std::atomic<int> interrupted = 0; ///< workers look at it, too
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler sets it");

void on_interrupt(int) {
    interrupted = 1;
    std::signal(SIGINT, SIG_DFL);
}

} // namespace

std::uint64_t resident_mebibytes() {
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    if (file == nullptr) return 0;
    unsigned long long size = 0;
    unsigned long long resident = 0;
    const int read = std::fscanf(file, "%llu %llu", &size, &resident);
    static_cast<void>(std::fclose(file));
    if (read != 2) return 0;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) >> 20U;
}

Budget::Budget(Limits limits) : limits_(limits) {
    interrupted = 0;
    std::signal(SIGINT, on_interrupt);
}

Budget::~Budget() {
    std::signal(SIGINT, SIG_DFL);
}

Progress Budget::progress(Progress inner) {
    return [this, inner = std::move(inner)](std::uint64_t done, std::uint64_t total) {
        if (inner && !inner(done, total)) return false;
        return stopped_.empty() && !exhausted();
    };
}

bool Budget::exhausted() {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - started_;
    if (interrupted != 0) {
        stopped_ = "interrupted";
    } else if (limits_.seconds && passed.count() > *limits_.seconds) {
        stopped_ = fmt::format("the time limit of {} s was reached", *limits_.seconds);
    } else if (limits_.mebibytes && resident_mebibytes() > *limits_.mebibytes) {
        stopped_ = fmt::format("the memory limit of {} MiB was reached", *limits_.mebibytes);
    }
    return !stopped_.empty();
}

} // namespace heddle::cli
