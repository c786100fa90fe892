#include "traces/recorder/replay_stall.h"

#include "traces/recorder/raw_system_call.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dirent.h>
#include <fcntl.h>
#include <time.h>

namespace heddle::recorder::replay {

namespace {

std::uint64_t now_ms() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1000 +
           static_cast<std::uint64_t>(now.tv_nsec) / 1'000'000;
}

/// The state's letter, which follows the name in parentheses; that may hold anything.
char state_of(const char* task) noexcept {
    char path[sizeof("/proc/self/task//stat") + sizeof(dirent::d_name)];
    std::snprintf(path, sizeof(path), "/proc/self/task/%s/stat", task);
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 'X';
    char text[128];
    const ssize_t size = ::read(file, text, sizeof(text) - 1);
    ::close(file);
    if (size <= 0) return 'X';
    text[size] = 0;
    const char* end = std::strrchr(text, ')');
    return end == nullptr || end[1] == 0 ? 'R' : end[2];
}

/// Whether a thread that does not wait at a step runs or could run.
bool somebody_is_awake(bool (*waits)(std::uint32_t)) noexcept {
    DIR* tasks = ::opendir("/proc/self/task");
    if (tasks == nullptr) return true;
    bool awake = false;
    while (const dirent* entry = awake ? nullptr : ::readdir(tasks)) {
        if (entry->d_name[0] == '.') continue;
        if (waits(static_cast<std::uint32_t>(std::strtoul(entry->d_name, nullptr, 10)))) continue;
        const char state = state_of(entry->d_name);
        awake = state == 'R' || state == 'D';
    }
    ::closedir(tasks);
    return awake;
}

} // namespace

void StallWatch::begin() noexcept {
    began_ms_.store(now_ms());
    awake_ms_.store(now_ms());
}
void StallWatch::note_progress() noexcept {
    awake_ms_.store(now_ms(), std::memory_order_relaxed);
}
bool StallWatch::is_late(std::uint32_t limit_ms) const noexcept {
    return now_ms() - began_ms_.load() > limit_ms;
}
bool StallWatch::is_stalled(std::uint32_t stall_ms, bool (*waits)(std::uint32_t)) noexcept {
    if (somebody_is_awake(waits)) {
        note_progress();
        return false;
    }
    return now_ms() - awake_ms_.load() > stall_ms;
}

} // namespace heddle::recorder::replay
