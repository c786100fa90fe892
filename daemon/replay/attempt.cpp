#include "daemon/replay/attempt.h"

#include "daemon/replay/offspring.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::replay {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPauseMs = 10;

std::vector<char*> pointers(const std::vector<std::string>& words) {
    std::vector<char*> result;
    result.reserve(words.size() + 1);
    for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
    result.push_back(nullptr);
    return result;
}

/// What the child needs, made before the fork: after it nothing may allocate.
struct Prepared {
    std::vector<char*> words;
    std::vector<char*> environment;
    const char* program;
    const char* folder; ///< null: stay
    int input;
    int output; ///< for both of its streams
    int report; ///< takes errno if it does not start
    pid_t parent;
};

[[noreturn]] void become(const Prepared& prepared) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != prepared.parent) _exit(127); // it ended before this was said
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) signal(number, SIG_DFL);
    if (dup2(prepared.input, STDIN_FILENO) >= 0 && dup2(prepared.output, STDOUT_FILENO) >= 0 &&
        dup2(prepared.output, STDERR_FILENO) >= 0 &&
        (prepared.folder == nullptr || chdir(prepared.folder) == 0))
        execve(prepared.program, prepared.words.data(), prepared.environment.data());
    const int problem = errno;
    static_cast<void>(!write(prepared.report, &problem, sizeof(problem)));
    _exit(127);
}

class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor(Descriptor&&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;

    [[nodiscard]] int get() const { return number_; }
    void reset() {
        if (number_ >= 0) close(number_);
        number_ = -1;
    }

  private:
    int number_;
};

Result<pid_t> start(const AttemptRequest& request) {
    const std::string input = request.input.empty() ? "/dev/null" : request.input;
    const Descriptor in(open(input.c_str(), O_RDONLY | O_CLOEXEC));
    if (in.get() < 0) return fail(fmt::format("{}: {}", input, std::strerror(errno)));
    const Descriptor nothing(open("/dev/null", O_WRONLY | O_CLOEXEC));
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return fail(fmt::format("no pipe: {}", std::strerror(errno)));
    const Descriptor from_child(ends[0]);
    Descriptor to_parent(ends[1]);
    const Prepared prepared{.words = pointers(request.words),
                            .environment = pointers(request.environment),
                            .program = request.program.c_str(),
                            .folder = request.folder.empty() ? nullptr : request.folder.c_str(),
                            .input = in.get(),
                            .output = request.quiet ? nothing.get() : STDERR_FILENO,
                            .report = ends[1],
                            .parent = getpid()};
    const pid_t process = fork();
    if (process < 0) return fail(fmt::format("no process: {}", std::strerror(errno)));
    if (process == 0) become(prepared);
    setpgid(process, process); // whichever of the two comes first
    to_parent.reset();
    int problem = 0;
    if (read(from_child.get(), &problem, sizeof(problem)) == static_cast<ssize_t>(sizeof(problem))) {
        waitpid(process, nullptr, 0);
        return fail(fmt::format("{}{}: {}", request.program,
                                request.folder.empty() ? "" : " in " + request.folder,
                                std::strerror(problem)));
    }
    return process;
}

/// Until the process has ended or its time is over.
AttemptEnd watch(pid_t process, const AttemptRequest& request) {
    const Descriptor handle(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
    const auto deadline = Clock::now() + request.limit;
    bool limited = true;
    while (true) {
        pollfd ended{.fd = handle.get(), .events = POLLIN, .revents = 0};
        const int changed = poll(&ended, handle.get() < 0 ? 0 : 1, kPauseMs);
        siginfo_t info{};
        const bool is_over = changed > 0 || (handle.get() < 0 &&
                                             waitid(P_PID, static_cast<id_t>(process), &info,
                                                    WEXITED | WNOHANG | WNOWAIT) == 0 &&
                                             info.si_pid == process);
        if (is_over) return AttemptEnd::ended;
        if (request.stop && request.stop()) return AttemptEnd::stopped;
        if (limited && request.look && request.look(process)) limited = false;
        if (limited && Clock::now() > deadline) return AttemptEnd::timed_out;
    }
}

} // namespace

Result<Attempt> run_attempt(const AttemptRequest& request) {
    Offspring offspring("HEDDLE_REPLAY_RESULT=" + request.result);
    const Result<pid_t> process = start(request);
    if (!process) return tl::make_unexpected(process.error());
    Attempt attempt{.end = watch(*process, request)};
    offspring.end(*process);
    int status = 0;
    while (waitpid(*process, &status, 0) < 0 && errno == EINTR) {
    }
    attempt.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    attempt.status = WIFSIGNALED(status) ? 128 + attempt.signal : WEXITSTATUS(status);
    return attempt;
}

} // namespace heddle::replay
