#include "traces/recorder/replay_result.h"

#include "traces/recorder/raw_system_call.h"
#include "traces/recorder/replay_operations.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>

namespace heddle::recorder::replay {

namespace {

constexpr int kRefused = 125; // as `heddle record` has it: heddle failed, not the program
constexpr const char* kActivityNames[] = {"unborn", "running", "parked", "ended"};

/// Lines that are written at once: a reader never sees half of them.
class Lines {
  public:
    [[gnu::format(printf, 2, 3)]] void add(const char* format, ...) noexcept {
        va_list values;
        va_start(values, format);
        const int more = std::vsnprintf(text_ + size_, sizeof(text_) - size_, format, values);
        va_end(values);
        if (more > 0 && size_ + static_cast<std::size_t>(more) < sizeof(text_))
            size_ += static_cast<std::size_t>(more);
    }
    void write(int flags) const noexcept {
        const char* path = std::getenv("HEDDLE_REPLAY_RESULT");
        if (path == nullptr) return;
        const int file = ::open(path, O_WRONLY | O_APPEND | O_CLOEXEC | flags, 0600);
        if (file < 0) return;
        [[maybe_unused]] const ssize_t written = ::write(file, text_, size_);
        ::close(file);
    }
    void show() const noexcept {
        [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text_, size_);
    }

  private:
    char text_[8192] = {};
    std::size_t size_ = 0;
};

} // namespace

bool claim_result() noexcept {
    const char* path = std::getenv("HEDDLE_REPLAY_RESULT");
    if (path == nullptr) return false;
    const int file = ::open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return false;
    ::close(file);
    Lines lines;
    lines.add("%s\nprocess %u\n", heddle::replay::kResultHeader.data(), raw_process_id());
    lines.write(0);
    return true;
}

void write_confirmed(std::uint64_t address, const std::uint32_t* threads, std::size_t count) noexcept {
    Lines lines;
    lines.add("confirmed %llx", static_cast<unsigned long long>(address));
    for (std::size_t i = 0; i < count; ++i) lines.add(" %u", threads[i]);
    lines.add("\n");
    lines.write(0);
}

void write_diverged(const char* why, std::uint32_t thread, std::uint32_t step, const ActorState* actors,
                    std::size_t count) noexcept {
    Lines lines;
    lines.add("diverged %s %u %u\n", why, thread, step);
    for (std::size_t i = 0; i < count; ++i)
        lines.add("thread %u %s %u\n", actors[i].thread, kActivityNames[actors[i].activity], actors[i].next);
    lines.write(0);
}

void write_exited(int status) noexcept {
    Lines lines;
    lines.add("exited %d\n", status);
    lines.write(0);
}

void refuse(const char* why, const char* about) noexcept {
    Lines lines;
    if (std::getenv("HEDDLE_REPLAY_RESULT") != nullptr) {
        lines.add("%s\nrefused %s %s\n", heddle::replay::kResultHeader.data(), why, about);
        lines.write(O_CREAT);
    } else { // a person set HEDDLE_REPLAY by hand
        lines.add("[heddle] the replay plan cannot be followed (%s): %s\n", why, about);
        lines.show();
    }
    raw_exit(kRefused);
}

} // namespace heddle::recorder::replay
