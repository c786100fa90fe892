#include "daemon/watch/trace_watcher.h"

#include "daemon/watch/watched_folder.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include <boost/asio/steady_timer.hpp>

namespace heddle::watch {

namespace {

std::string absolute(const std::string& folder) {
    std::error_code error;
    const std::filesystem::path path = std::filesystem::absolute(folder, error);
    // "a/../b" is left as it is: a may be a link.
    std::string text = error ? folder : path.string();
    while (text.size() > 1 && text.ends_with('/')) text.pop_back();
    return text;
}

} // namespace

/// All folders, and what they share.
class TraceWatcher::Folders : public std::enable_shared_from_this<Folders> {
  public:
    Folders(boost::asio::io_context& io, const Options& options, OnChange on_change)
        : poll_timer_(io), shared_{.io = io,
                                   .options = options,
                                   .on_change = std::move(on_change),
                                   .inotify{io, options.max_watches, [this] { refresh_all(); }},
                                   .delayed = DelayedLooks(io),
                                   .on_polling = [this] { plan_poll(); }} {}

    void watch(const std::string& path) {
        const auto [place, added] = folders_.try_emplace(path);
        if (!added) return;
        place->second = std::make_shared<WatchedFolder>(shared_, path);
        place->second->refresh();
        if (shared_.options.poll_always) plan_poll();
    }

    void unwatch(const std::string& path) {
        const auto found = folders_.find(path);
        if (found == folders_.end()) return;
        found->second->close();
        folders_.erase(found);
    }

    void close() {
        for (const auto& [path, folder] : folders_) folder->close();
        folders_.clear();
        poll_timer_.cancel();
    }

    /// Tells nothing itself: what is found is told by scans, later.
    void refresh_all() {
        for (const auto& [path, folder] : folders_) folder->refresh();
    }

    [[nodiscard]] const std::map<std::string, std::shared_ptr<WatchedFolder>>& all() const {
        return folders_;
    }

  private:
    void plan_poll() {
        if (std::exchange(poll_planned_, true)) return;
        poll_timer_.expires_after(shared_.options.poll_interval);
        poll_timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
            const auto self = weak.lock();
            if (self && !error) self->poll();
        });
    }

    void poll() {
        poll_planned_ = false;
        bool any = false;
        for (const auto& [path, folder] : folders_) {
            if (!folder->polled()) continue;
            any = true;
            folder->refresh();
        }
        if (any) plan_poll();
    }

    boost::asio::steady_timer poll_timer_;
    bool poll_planned_ = false;
    Shared shared_;
    std::map<std::string, std::shared_ptr<WatchedFolder>> folders_;
};

TraceWatcher::TraceWatcher(boost::asio::io_context& io, const Options& options, OnChange on_change)
    : folders_(std::make_shared<Folders>(io, options, std::move(on_change))) {}

TraceWatcher::~TraceWatcher() {
    folders_->close();
}

void TraceWatcher::watch(const std::string& folder) {
    folders_->watch(absolute(folder));
}

void TraceWatcher::unwatch(const std::string& folder) {
    folders_->unwatch(absolute(folder));
}

void TraceWatcher::rescan() {
    folders_->refresh_all();
}

std::vector<std::string> TraceWatcher::folders() const {
    std::vector<std::string> paths;
    for (const auto& [path, folder] : folders_->all()) paths.push_back(path);
    return paths;
}

std::vector<KnownFile> TraceWatcher::files() const {
    std::vector<KnownFile> files;
    for (const auto& [path, folder] : folders_->all()) folder->append_files(files);
    return files;
}

bool TraceWatcher::scanning() const {
    return std::ranges::any_of(folders_->all(), [](const auto& one) { return one.second->scanning(); });
}

bool TraceWatcher::polls(const std::string& folder) const {
    const auto found = folders_->all().find(absolute(folder));
    return found != folders_->all().end() && found->second->polled();
}

} // namespace heddle::watch
