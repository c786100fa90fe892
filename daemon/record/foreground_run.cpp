#include "daemon/record/foreground_run.h"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <system_error>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

namespace heddle::record {

namespace {

/// What is passed on, and SIGCHLD, which tells that there is something to wait for. Signals that stop a
/// process keep their meaning: the terminal sends them to heddle and the program alike.
sigset_t watched_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int number :
         {SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGWINCH, SIGCONT, SIGPIPE}) {
        sigaddset(&set, number);
    }
    return set;
}

/// Blocks the watched signals for its life.
class SignalsHeld {
  public:
    SignalsHeld() : watched_(watched_signals()) {
        // An inherited "ignore" would make the kernel reap the program before its status is asked for.
        struct sigaction ordinary {};
        ordinary.sa_handler = SIG_DFL;
        sigaction(SIGCHLD, &ordinary, &child_before_);
        sigprocmask(SIG_BLOCK, &watched_, &before_);
    }
    ~SignalsHeld() {
        sigaction(SIGCHLD, &child_before_, nullptr);
        sigprocmask(SIG_SETMASK, &before_, nullptr);
    }
    SignalsHeld(const SignalsHeld&) = delete;
    SignalsHeld& operator=(const SignalsHeld&) = delete;
    SignalsHeld(SignalsHeld&&) = delete;
    SignalsHeld& operator=(SignalsHeld&&) = delete;

    [[nodiscard]] const sigset_t& watched() const { return watched_; }
    [[nodiscard]] const sigset_t& before() const { return before_; }

  private:
    sigset_t watched_;
    sigset_t before_{};
    struct sigaction child_before_ {};
};

std::vector<char*> pointers(const std::vector<std::string>& words) {
    std::vector<char*> result;
    result.reserve(words.size() + 1);
    for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
    result.push_back(nullptr);
    return result;
}

/// Waits until the process has ended or stopped, and passes on what arrives meanwhile.
int wait_status(pid_t process, const SignalsHeld& held) {
    while (true) {
        int status = 0;
        const pid_t changed = waitpid(process, &status, WNOHANG | WUNTRACED);
        if (changed == process && !WIFSTOPPED(status)) return status;
        if (changed == process) {
            raise(SIGSTOP); // the shell that started heddle shall see the stop
            kill(process, SIGCONT);
            continue;
        }
        siginfo_t info{};
        const int number = sigwaitinfo(&held.watched(), &info);
        // What the terminal sends, it sends to the program as well.
        if (number > 0 && number != SIGCHLD && info.si_code <= 0) kill(process, number);
    }
}

} // namespace

Result<Finished> run_in_foreground(const std::string& path, const std::vector<std::string>& words,
                                   const std::vector<std::string>& environment) {
    const SignalsHeld held;
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &held.before());
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    pid_t process = 0;
    const int problem = posix_spawn(&process, path.c_str(), nullptr, &attributes, pointers(words).data(),
                                    pointers(environment).data());
    posix_spawnattr_destroy(&attributes);
    if (problem != 0) return fail(fmt::format("{}: {}", path, std::generic_category().message(problem)));

    const int status = wait_status(process, held);
    if (WIFSIGNALED(status)) {
        const int number = WTERMSIG(status);
        return Finished{.process = process, .signal = number, .status = 128 + number};
    }
    return Finished{.process = process, .status = WEXITSTATUS(status)};
}

} // namespace heddle::record
