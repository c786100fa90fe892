// Finds the trace files in folders and tells what becomes of them.
//
// A trace file is a regular file named *.htr or *.std that lies directly in a watched folder. Links, pipes
// and devices are not, and none is ever opened. Subfolders are not looked into, as `heddle analyze` does not:
// everything that Heddle records into one folder lies flat in it. A folder in which somebody sorts traces is
// watched by its own name. Options may name other files that are followed in the same way.
//
// A folder need not exist, and may go and come back, be a link, or be unreadable for a while: its path is
// walked, and the places where the walk can go another way are watched, by inotify. What inotify tells is
// only a hint where to look; what is told is the difference between the file's stamp and the one told before.
// So the events that matter cannot be misread, and a rescan (after an overflow of inotify's queue, or by the
// timer when a folder is polled) is the same thing on more files. A file that was emptied and filled again
// between two looks is told as `grew` if it is not shorter: who reads it checks what it read.
//
// A folder is polled when it is on a network file system, whose other users inotify does not see, or when the
// system has no more inotify watches; the log says so, once for each folder. Otherwise no timer runs while
// nothing changes.
//
// Belongs to the thread that runs the io_context; everything is called and calls back there. No handler takes
// longer than a few milliseconds: folders are scanned in slices. OnChange may call any function of the
// watcher, but must not destroy it. After destruction nothing is called.
#pragma once

#include "daemon/watch/file_change.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/io_context.hpp>

namespace heddle::watch {

struct Options {
    /// Writes to one file are told at most so often. Everything else, and the first write after a pause, is
    /// told at once.
    std::chrono::milliseconds quiet{50};
    std::chrono::milliseconds poll_interval{1000};
    bool poll_always = false;
    std::size_t max_watches = 8192; ///< of inotify; folders beyond them are polled
    std::size_t slice = 256;        ///< files that are looked at before others have their turn
    /// Names of files that are told of beside traces. Asked at any time.
    std::function<bool(std::string_view)> also_wanted;
    /// Sentences for the log: that a folder is polled, or cannot be read, and why.
    std::function<void(const std::string&)> log;
};

using OnChange = std::function<void(const FileChange&)>;

class TraceWatcher {
  public:
    TraceWatcher(boost::asio::io_context& io, const Options& options, OnChange on_change);
    ~TraceWatcher();
    TraceWatcher(const TraceWatcher&) = delete;
    TraceWatcher& operator=(const TraceWatcher&) = delete;
    TraceWatcher(TraceWatcher&&) = delete;
    TraceWatcher& operator=(TraceWatcher&&) = delete;

    /// Tells of the files that are there as `appeared`, soon but not before this returns, and of what becomes
    /// of them from then on. A folder that is watched already stays so. Relative paths begin at the working
    /// folder.
    void watch(const std::string& folder);
    /// Its files are forgotten; nothing more is told of them, not even that they went.
    void unwatch(const std::string& folder);

    /// Looks at everything again, soon. What changed is told as always.
    void rescan();

    /// Folders as they were given, made absolute.
    [[nodiscard]] std::vector<std::string> folders() const;
    /// All files that were told to be there, folder by folder, by name.
    [[nodiscard]] std::vector<KnownFile> files() const;
    /// Whether a scan is under way: the first one of a folder, or one after much has changed.
    [[nodiscard]] bool scanning() const;
    /// Whether the folder is looked at by the clock.
    [[nodiscard]] bool polls(const std::string& folder) const;

  private:
    class Folders;
    std::shared_ptr<Folders> folders_;
};

} // namespace heddle::watch
