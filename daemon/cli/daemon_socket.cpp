#include "daemon/cli/daemon_socket.h"

#include "daemon/service/runtime_folder.h"
#include "lsp/bridge.h"
#include "lsp/connection.h"
#include "lsp/framing.h"
#include "lsp/socket.h"
#include "lsp/stdio.h"

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spawn.h>
#include <unistd.h>

extern char** environ; // NOLINT(readability-redundant-declaration): POSIX leaves declaring it to programs

namespace heddle::cli {

namespace {

constexpr std::chrono::milliseconds kStartUp{10'000}; ///< that a daemon may take
constexpr std::chrono::milliseconds kRetry{20};
constexpr std::chrono::seconds kAnswer{10};

/// Starts `heddle lsp --listen …` in a session of its own, so that it outlives the editor.
lsp::Result<void> start_daemon(const lsp::Endpoint& endpoint) {
    std::error_code error;
    const std::string self = std::filesystem::read_symlink("/proc/self/exe", error).string();
    if (error) return lsp::fail("heddle does not know its own path: " + error.message());
    const std::string where = lsp::to_text(endpoint);
    const std::vector<const char*> words = {self.c_str(), "lsp", "--listen", where.c_str(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addchdir_np(&actions, "/");
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    pid_t process = 0;
    const int failed =
        posix_spawn(&process, self.c_str(), &actions, &attributes, const_cast<char**>(words.data()), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failed != 0)
        return lsp::fail(
            fmt::format("the daemon does not start: {}", std::generic_category().message(failed)));
    return {};
}

/// Asks a daemon something that is answered with an error, as all is before initialize.
struct Hello : std::enable_shared_from_this<Hello> {
    std::string question = lsp::frame(R"({"jsonrpc":"2.0","id":"bridge","method":"heddle/hello"})");
    std::array<char, 4096> buffer{};
    lsp::FrameReader answer;
    bool answered = false;

    void ask(lsp::Transport& daemon) {
        daemon.write(question, [self = shared_from_this()](std::error_code, std::size_t) {});
        read(daemon); // which tells when writing failed, too
    }
    void read(lsp::Transport& daemon) {
        daemon.read_some(buffer,
                         [self = shared_from_this(), &daemon](std::error_code error, std::size_t bytes) {
                             if (error || bytes == 0) return;
                             self->answer.feed({self->buffer.data(), bytes});
                             self->answered = self->answer.next().has_value();
                             if (!self->answered) self->read(daemon);
                         });
    }
};

/// Whether somebody is at the other end. One can still connect to a daemon that is dying; what an editor says
/// to it would be lost.
bool answers(boost::asio::io_context& loop, lsp::Transport& daemon) {
    const auto hello = std::make_shared<Hello>();
    hello->ask(daemon);
    loop.restart();
    loop.run_for(kAnswer);
    return hello->answered;
}

lsp::Result<std::unique_ptr<lsp::Transport>> connect_or_start(boost::asio::io_context& loop,
                                                              const lsp::Endpoint& endpoint) {
    const auto patience = std::chrono::steady_clock::now() + kStartUp;
    bool started = false;
    for (;;) {
        auto transport = lsp::connect(loop, endpoint);
        if (transport && answers(loop, **transport)) return transport;
        if (std::chrono::steady_clock::now() >= patience) {
            if (transport) return lsp::fail(lsp::to_text(endpoint) + " does not answer");
            return transport;
        }
        if (!transport && !std::exchange(started, true)) {
            if (const auto begun = start_daemon(endpoint); !begun) return tl::make_unexpected(begun.error());
        }
        std::this_thread::sleep_for(kRetry);
    }
}

} // namespace

lsp::Result<lsp::Endpoint> daemon_endpoint(const std::string& text) {
    if (!text.empty()) return lsp::parse_endpoint(text);
    const auto folder = service::runtime_folder();
    if (!folder) return lsp::fail(folder.error().message);
    return lsp::UnixEndpoint{*folder + "/daemon.sock"};
}

lsp::Result<void> bridge_to_daemon(const std::string& text) {
    const auto endpoint = daemon_endpoint(text);
    if (!endpoint) return tl::make_unexpected(endpoint.error());
    boost::asio::io_context loop(1);
    auto daemon = connect_or_start(loop, *endpoint);
    if (!daemon) return tl::make_unexpected(daemon.error());
    auto editor = lsp::stdio_transport(loop);
    if (!editor) return tl::make_unexpected(editor.error());
    std::string failure;
    loop.restart();
    lsp::bridge(std::move(*editor), std::move(*daemon), [&](std::string what) { failure = std::move(what); });
    loop.run();
    if (!failure.empty()) return lsp::fail(std::move(failure));
    return {};
}

lsp::Result<nlohmann::json> ask_daemon(const std::string& text, const std::string& method) {
    const auto endpoint = daemon_endpoint(text);
    if (!endpoint) return tl::make_unexpected(endpoint.error());
    boost::asio::io_context loop(1);
    auto transport = lsp::connect(loop, *endpoint);
    if (!transport)
        return lsp::fail(fmt::format("no daemon is there ({}); an editor starts it, or heddle lsp --connect",
                                     transport.error().message));
    lsp::Connection connection(loop, std::move(*transport));
    lsp::Result<nlohmann::json> result =
        lsp::fail(fmt::format("{} does not answer", lsp::to_text(*endpoint)));
    const auto done = [&](const lsp::Outcome& outcome) {
        if (outcome) {
            result = *outcome;
        } else {
            result = lsp::fail(outcome.error().message);
        }
        connection.close_when_written("done");
    };
    nlohmann::json hello = {
        {"processId", nullptr}, {"rootUri", nullptr}, {"capabilities", nlohmann::json::object()}};
    if (const char* token = std::getenv("HEDDLE_TOKEN")) hello["initializationOptions"] = {{"token", token}};
    connection.on_close([&](const lsp::CloseReason&) { loop.stop(); });
    connection.start();
    connection.request("initialize", hello, [&](const lsp::Outcome& outcome) {
        if (!outcome) return done(outcome);
        connection.notify("initialized", nlohmann::json::object());
        connection.request(method, nullptr, done);
    });
    loop.run_for(kAnswer);
    return result;
}

} // namespace heddle::cli
