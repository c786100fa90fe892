#include "daemon/service/hub.h"

#include "daemon/service/summary.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include <boost/asio/post.hpp>
#include <unistd.h>

namespace heddle::service {

Hub::Hub(boost::asio::io_context& loop, HubOptions options)
    : loop_(loop), options_(std::move(options)),
      cache_(options_.cache_folder, options_.cache_bytes,
             // From a worker: the log belongs to the loop.
             [this](const std::string& message) {
                 boost::asio::post(loop_, [this, message] { say(lsp::LogLevel::warning, message); });
             }),
      symbols_(options_.debug_folders), pool_(std::max(2U, std::thread::hardware_concurrency())),
      fixes_(loop_, pool_, symbols_) {
    if (!options_.log) return;
    options_.log = [this, log = std::move(options_.log)](lsp::LogLevel level, std::string_view message) {
        if (is_wanted(level)) log(level, message);
    };
}

void Hub::say(lsp::LogLevel level, std::string_view message) const {
    if (options_.log) options_.log(level, message);
}

bool Hub::is_wanted(lsp::LogLevel level) const {
    // The settings have one more below, as LSP's own trace has.
    const auto at = static_cast<settings::LogLevel>(static_cast<std::uint8_t>(level) + 1);
    static_assert(static_cast<std::uint8_t>(lsp::LogLevel::error) + 1 ==
                  static_cast<std::uint8_t>(settings::LogLevel::error));
    std::optional<settings::LogLevel> wanted; // by the workspace that wants most
    for (const auto& [root, known] : workspaces_) {
        const auto workspace = known.lock();
        if (!workspace) continue;
        const settings::LogLevel one = workspace->settings().log_level.value;
        if (!wanted || one < *wanted) wanted = one;
    }
    return at >= wanted.value_or(settings::LogLevel::info);
}

std::shared_ptr<Workspace> Hub::workspace(const std::string& root) {
    std::weak_ptr<Workspace>& known = workspaces_[root];
    if (auto workspace = known.lock()) return workspace;
    auto workspace = std::make_shared<Workspace>(
        TraceStore::Means{.loop = loop_, .pool = pool_, .cache = cache_, .symbols = symbols_}, root,
        options_.settings, [this](const std::string& message) { say(lsp::LogLevel::info, message); });
    known = workspace;
    return workspace;
}

nlohmann::json Hub::status() {
    nlohmann::json result = {{"version", HEDDLE_VERSION},
                             {"process", getpid()},
                             {"clients", clients},
                             {"seconds", std::chrono::duration_cast<std::chrono::seconds>(
                                             std::chrono::steady_clock::now() - started_)
                                             .count()},
                             {"workspaces", nlohmann::json::array()}};
    for (auto i = workspaces_.begin(); i != workspaces_.end();) {
        const auto workspace = i->second.lock();
        if (!workspace) {
            i = workspaces_.erase(i);
            continue;
        }
        nlohmann::json status = to_status(summary_of(*workspace));
        status["folder"] = i->first;
        status["suppressions"] = workspace->suppressions_file();
        result["workspaces"].push_back(std::move(status));
        ++i;
    }
    return result;
}

} // namespace heddle::service
