#include "daemon/service/hub.h"

#include <algorithm>
#include <array>
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
      symbols_(options_.debug_folders), pool_(std::max(2U, std::thread::hardware_concurrency())) {}

void Hub::say(lsp::LogLevel level, std::string_view message) const {
    if (options_.log) options_.log(level, message);
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
        std::array<std::size_t, kFindingKinds> counts{};
        std::size_t suppressed = 0;
        for (const auto& [key, bug] : workspace->bugs().all()) {
            if (workspace->visible(bug)) {
                ++counts[static_cast<std::size_t>(bug.best()->kind)];
            } else {
                ++suppressed;
            }
        }
        const TraceStore::Activity activity = workspace->traces().activity();
        result["workspaces"].push_back({{"folder", i->first},
                                        {"traces", workspace->traces().paths().size()},
                                        {"races", counts[0]},
                                        {"atomicityViolations", counts[1]},
                                        {"deadlocks", counts[2]},
                                        {"hidden", suppressed},
                                        {"analysing", activity.waiting},
                                        {"percent", activity.percent}});
        ++i;
    }
    return result;
}

} // namespace heddle::service
