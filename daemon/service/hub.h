// What all clients of one daemon share: the loop, the workers, the cache, the workspaces, and the list of
// clients. A workspace lives as long as some client has it open.
#pragma once

#include "daemon/fix/fix_finder.h"
#include "daemon/service/report_cache.h"
#include "daemon/service/shared_symbols.h"
#include "daemon/service/work_pool.h"
#include "daemon/service/workspace.h"
#include "lsp/log.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include <boost/asio/io_context.hpp>
#include <nlohmann/json.hpp>

namespace heddle::service {

struct HubOptions {
    nlohmann::json settings = nullptr; ///< from the command line
    std::string cache_folder = ReportCache::default_folder();
    std::uint64_t cache_bytes = std::uint64_t{256} << 20U;
    std::vector<std::string> debug_folders;
    lsp::Log log;
};

class Hub {
  public:
    Hub(boost::asio::io_context& loop, HubOptions options);

    [[nodiscard]] std::shared_ptr<Workspace> workspace(const std::string& root);

    [[nodiscard]] boost::asio::io_context& loop() { return loop_; }
    [[nodiscard]] WorkPool& pool() { return pool_; }
    [[nodiscard]] fix::FixFinder& fixes() { return fixes_; }
    [[nodiscard]] const lsp::Log& log() const { return options_.log; }
    void say(lsp::LogLevel level, std::string_view message) const;

    /// By the logLevel of the workspaces that are open.
    [[nodiscard]] bool is_wanted(lsp::LogLevel level) const;

    /// Ends the daemon, as far as it depends on its clients' wishes.
    std::function<void()> stop;
    std::size_t clients = 0;

    /// For `heddle status`: what is known of the daemon and its workspaces.
    [[nodiscard]] nlohmann::json status();

  private:
    boost::asio::io_context& loop_;
    HubOptions options_;
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    ReportCache cache_;
    SharedSymbols symbols_;
    WorkPool pool_; ///< after what its tasks use, and before those who stop them
    fix::FixFinder fixes_;
    std::map<std::string, std::weak_ptr<Workspace>> workspaces_; ///< by root
};

} // namespace heddle::service
