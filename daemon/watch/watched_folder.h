// One watched folder: the way to it, and the files in it. See trace_watcher.h for what holds.
//
// refresh() finds out where the folder is now and scans it; inotify, the poll timer and who adds the folder
// call it. A scan reads the names that are there, then looks for known files among the rest; the two together
// make what is known equal to what is there. Between scans, events of inotify cause looks at single files.
#pragma once

#include "daemon/watch/delayed_looks.h"
#include "daemon/watch/file_change.h"
#include "daemon/watch/inotify.h"
#include "daemon/watch/path_walk.h"
#include "daemon/watch/trace_watcher.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/io_context.hpp>

namespace heddle::watch {

/// What all folders of a watcher share.
struct Shared {
    boost::asio::io_context& io;
    Options options;
    OnChange on_change;
    Inotify inotify;
    DelayedLooks delayed;
    std::function<void()> on_polling; ///< a folder has begun to be polled
};

class WatchedFolder : public std::enable_shared_from_this<WatchedFolder> {
  public:
    /// `path` is absolute.
    WatchedFolder(Shared& shared, std::string path);
    ~WatchedFolder() = default;
    WatchedFolder(const WatchedFolder&) = delete;
    WatchedFolder& operator=(const WatchedFolder&) = delete;
    WatchedFolder(WatchedFolder&&) = delete;
    WatchedFolder& operator=(WatchedFolder&&) = delete;

    void refresh();
    /// Nothing is told from now on.
    void close();

    [[nodiscard]] bool polled() const { return polled_; }
    [[nodiscard]] bool scanning() const { return scan_ != nullptr; }
    void append_files(std::vector<KnownFile>& files) const;

  private:
    struct Entry {
        FileStamp stamp;
        DelayedLooks::Clock::time_point told;
        std::uint64_t scan = 0;    ///< the last in which it was seen
        bool look_planned = false; ///< at the end of its quiet time
    };
    struct Scan;

    // The way there.
    WalkEnd watch_way(std::vector<Inotify::Watch>& watches);
    int watch_place(const std::string& place, std::uint32_t mask, Inotify::Handler handler,
                    std::vector<Inotify::Watch>& watches);
    int watch_content(const std::string& folder, std::vector<Inotify::Watch>& watches);
    int watch_name(const std::string& folder, const std::string& name, std::uint32_t mask,
                   std::vector<Inotify::Watch>& watches);
    void poll(const std::string& why);
    void arrive(const WalkEnd& end);

    // The files.
    [[nodiscard]] bool wants(std::string_view name) const;
    void on_content(const InotifyEvent& event);
    void look_later(const std::string& name);
    void look(const std::string& name, bool closed = false);
    void observe(const std::string& name, const Glance& glance, bool closed);
    bool tell(const std::string& name, ChangeKind kind, const FileStamp& stamp);

    // Scans, in slices.
    void start_scan();
    void continue_scan();
    void post_scan();
    void read_names(Scan& scan);
    void check_rest(Scan& scan);

    Shared& shared_;
    std::string path_;
    bool closed_ = false;
    bool polled_ = false;
    std::string said_; ///< the last problem that was logged
    std::vector<Inotify::Watch> watches_;
    std::string folder_; ///< where the walk ended; empty: there is no such folder. Never held open: the
                         ///< kernel tells of the end of a folder only when nobody has it open
    std::map<std::string, Entry> known_;
    std::shared_ptr<Scan> scan_;
    bool scan_again_ = false;
    std::uint64_t last_scan_ = 0;
};

} // namespace heddle::watch
