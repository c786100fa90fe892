#include "daemon/cli/budget.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <fstream>
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

std::optional<std::uint64_t> container_mebibytes(const std::string& folder) {
    std::uint64_t most = 0;
    std::uint64_t now = 0;
    if (!(std::ifstream(folder + "/memory.max") >> most)) return std::nullopt; // "max": no limit
    if (!(std::ifstream(folder + "/memory.current") >> now)) return std::nullopt;
    // What is kept of files, the system gives back when it is needed.
    std::ifstream parts(folder + "/memory.stat");
    std::uint64_t bytes = 0;
    for (std::string name; parts >> name >> bytes;) {
        if (name == "file") now -= std::min(now, bytes);
    }
    return (most - std::min(most, now)) >> 20U;
}

std::optional<std::uint64_t> available_mebibytes() {
    std::optional<std::uint64_t> available = container_mebibytes("/sys/fs/cgroup");
    std::ifstream machine("/proc/meminfo");
    for (std::string line; std::getline(machine, line);) {
        unsigned long long kibibytes = 0;
        if (std::sscanf(line.c_str(), "MemAvailable: %llu kB", &kibibytes) != 1) continue;
        const std::uint64_t free = kibibytes >> 10U;
        available = std::min(available.value_or(free), free);
    }
    return available;
}

Budget::Budget(Limits limits) : limits_(limits) {
    if (!limits_.mebibytes) {
        if (const auto available = available_mebibytes())
            limits_.mebibytes =
                resident_mebibytes() + *available / 5 * 3; // memory grows in leaps between two looks at it
    }
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

Progress Budget::reading(Progress inner) {
    left_out_.clear();
    return [this, whole = progress(std::move(inner))](std::uint64_t done, std::uint64_t total) {
        if (!left_out_.empty() || !whole(done, total)) return false;
        if (!limits_.mebibytes || resident_mebibytes() <= *limits_.mebibytes / 2) return true;
        left_out_ =
            fmt::format("only a part of the run was read: the rest would not leave half of the memory "
                        "limit of {} MiB to the analysis (--memory-limit)",
                        *limits_.mebibytes);
        return false;
    };
}

bool Budget::exhausted() {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - started_;
    if (interrupted != 0) {
        stopped_ = "interrupted";
    } else if (limits_.seconds && passed.count() > *limits_.seconds) {
        stopped_ = fmt::format("the time limit of {} s was reached", *limits_.seconds);
    } else if (limits_.mebibytes && resident_mebibytes() > *limits_.mebibytes) {
        stopped_ = fmt::format("the memory limit of {} MiB was reached (--memory-limit)", *limits_.mebibytes);
    }
    return !stopped_.empty();
}

} // namespace heddle::cli
