#include "traces/recorder/replay_stall.h"

#include "traces/recorder/raw_system_call.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <time.h>

namespace heddle::recorder::replay {

namespace {

std::uint64_t now_ms() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1000 +
           static_cast<std::uint64_t>(now.tv_nsec) / 1'000'000;
}

/// What the system says of a thread, as text.
class Told {
  public:
    Told(const char* task, const char* about) noexcept {
        char path[sizeof("/proc/self/task//syscall") + sizeof(dirent::d_name)];
        std::snprintf(path, sizeof(path), "/proc/self/task/%s/%s", task, about);
        const int file = ::open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0) return;
        const ssize_t size = ::read(file, text_, sizeof(text_) - 1);
        ::close(file);
        text_[size < 0 ? 0 : size] = 0;
    }
    [[nodiscard]] const char* text() const noexcept { return text_; }

  private:
    char text_[128] = {};
};

/// The state's letter, which follows the name in parentheses; that may hold anything.
char state_of(const char* task) noexcept {
    const Told stat(task, "stat");
    if (stat.text()[0] == 0) return 'X';
    const char* end = std::strrchr(stat.text(), ')');
    return end == nullptr || end[1] == 0 ? 'R' : end[2];
}

/// Whether the thread sleeps for a time, and then goes on whatever others do.
bool only_sleeps(const char* task) noexcept {
    const Told call(task, "syscall");
    const long number = std::strtol(call.text(), nullptr, 10);
    return number == SYS_nanosleep || number == SYS_clock_nanosleep;
}

/// Whether a thread that does not wait at a step runs, could run, or will by itself.
bool somebody_is_awake(bool (*waits)(std::uint32_t)) noexcept {
    DIR* tasks = ::opendir("/proc/self/task");
    if (tasks == nullptr) return true;
    bool awake = false;
    while (const dirent* entry = awake ? nullptr : ::readdir(tasks)) {
        if (entry->d_name[0] == '.') continue;
        if (waits(static_cast<std::uint32_t>(std::strtoul(entry->d_name, nullptr, 10)))) continue;
        const char state = state_of(entry->d_name);
        awake = state == 'R' || state == 'D' || (state == 'S' && only_sleeps(entry->d_name));
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
