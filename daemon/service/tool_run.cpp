#include "daemon/service/tool_run.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ; // NOLINT(readability-redundant-declaration): POSIX leaves declaring it to programs

namespace heddle::service {

namespace {

constexpr std::chrono::milliseconds kPause{20};
constexpr std::size_t kKeptOutput = std::size_t{64} << 10U;

/// A pipe whose ends programs started later do not get, but for those that are told to.
heddle::Result<std::array<int, 2>> make_pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return fail(fmt::format("no pipe: {}", std::strerror(errno)));
    return ends;
}

/// Starts the program as leader of a group of its own, with nothing to read and `output` to write to.
heddle::Result<pid_t> spawn(const std::vector<std::string>& words, const std::string& folder, int output) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigaddset(&signals, SIGPIPE); // which the daemon ignores
    posix_spawnattr_setsigdefault(&attributes, &signals);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    pid_t process = 0;
    const int error =
        posix_spawn(&process, words[0].c_str(), &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0) return fail(fmt::format("{} in {}: {}", words[0], folder, std::strerror(error)));
    return process;
}

} // namespace

struct ToolRun::State : std::enable_shared_from_this<State> {
    State(boost::asio::io_context& context, int input, Done when_done)
        : output(context, input), pause(context), done(std::move(when_done)) {}

    /// When reading ends, all who could write have ended or closed their output, as a rule the program, too.
    void read() {
        output.async_read_some(
            boost::asio::buffer(buffer),
            [self = shared_from_this()](const boost::system::error_code& error, std::size_t got) {
                self->kept.append(self->buffer.data(), got);
                if (self->kept.size() > 2 * kKeptOutput) self->kept.erase(0, self->kept.size() - kKeptOutput);
                if (!error) return self->read();
                self->finish();
            });
    }

    void finish() {
        int status = 0;
        if (waitpid(process, &status, WNOHANG) == 0) { // it goes on in silence
            pause.expires_after(kPause);
            pause.async_wait(
                [self = shared_from_this()](const boost::system::error_code&) { self->finish(); });
            return;
        }
        process = 0;
        cancelled.reset();
        Result result{.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                      .output = std::move(kept)};
        if (done) std::exchange(done, nullptr)(result);
    }

    void end_programs() const {
        if (process == 0) return;
        static_cast<void>(ends_itself ? kill(process, SIGTERM) : kill(-process, SIGKILL));
    }

    boost::asio::posix::stream_descriptor output;
    boost::asio::steady_timer pause;
    Done done;
    bool ends_itself = false;
    pid_t process = 0; ///< and the group it leads; 0 once it was waited for
    std::array<char, 4096> buffer{};
    std::string kept;
    std::optional<std::stop_callback<std::function<void()>>> cancelled;
};

ToolRun::ToolRun(std::shared_ptr<State> state) : state_(std::move(state)) {}

ToolRun::~ToolRun() {
    state_->done = nullptr;
    state_->end_programs();
}

heddle::Result<std::unique_ptr<ToolRun>> ToolRun::start(boost::asio::io_context& loop, const Options& options,
                                                        Done done) {
    std::error_code error;
    const std::string self = std::filesystem::read_symlink("/proc/self/exe", error).string();
    if (error) return fail("heddle does not know its own path: " + error.message());
    std::vector<std::string> words = {self};
    words.insert(words.end(), options.words.begin(), options.words.end());
    const auto ends = make_pipe();
    if (!ends) return tl::make_unexpected(ends.error());
    const auto process = spawn(words, options.folder, (*ends)[1]);
    close((*ends)[1]);
    if (!process) {
        close((*ends)[0]);
        return tl::make_unexpected(process.error());
    }
    auto state = std::make_shared<State>(loop, (*ends)[0], std::move(done));
    state->process = *process;
    state->ends_itself = options.ends_itself;
    state->cancelled.emplace(options.stop, [weak = std::weak_ptr(state)] {
        if (const auto there = weak.lock()) there->end_programs();
    });
    state->read();
    return std::unique_ptr<ToolRun>(new ToolRun(std::move(state)));
}

} // namespace heddle::service
