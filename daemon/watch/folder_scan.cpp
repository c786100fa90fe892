// The scans of a watched folder.
#include "daemon/watch/watched_folder.h"

#include <memory>
#include <utility>

#include <boost/asio/post.hpp>
#include <dirent.h>

namespace heddle::watch {

struct WatchedFolder::Scan {
    std::unique_ptr<DIR, int (*)(DIR*)> names{nullptr, ::closedir}; ///< null: all were read
    std::string checked; ///< of the known files, in their order: the last that was looked at
    bool done = false;
};

void WatchedFolder::start_scan() {
    if (scan_) {
        scan_again_ = true; // what it has passed may have changed
        return;
    }
    ++last_scan_;
    scan_ = std::make_shared<Scan>();
    // A folder that cannot be opened has no names; the known files are looked at one by one.
    if (!folder_.empty()) scan_->names.reset(::opendir(folder_.c_str()));
    post_scan();
}

void WatchedFolder::post_scan() {
    boost::asio::post(shared_.io, [weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->continue_scan();
    });
}

void WatchedFolder::continue_scan() {
    // Whoever is told of a file may close this folder, and so end the scan.
    const std::shared_ptr<Scan> scan = scan_;
    if (closed_ || !scan) return;
    if (scan->names) {
        read_names(*scan);
    } else {
        check_rest(*scan);
    }
    if (closed_) return;
    if (!scan->done) return post_scan();
    scan_.reset();
    if (std::exchange(scan_again_, false)) start_scan();
}

/// A slice of the names in the folder.
void WatchedFolder::read_names(Scan& scan) {
    for (std::size_t read = 0; read < shared_.options.slice; ++read) {
        const dirent* const found = ::readdir(scan.names.get());
        if (found == nullptr) {
            scan.names.reset();
            return;
        }
        const std::string name = found->d_name;
        if (!wants(name)) continue;
        look(name);
        if (closed_) return;
        if (const auto known = known_.find(name); known != known_.end()) known->second.scan = last_scan_;
    }
}

/// A slice of the known files that were not among the names.
void WatchedFolder::check_rest(Scan& scan) {
    auto next = known_.upper_bound(scan.checked);
    for (std::size_t looked = 0; looked < shared_.options.slice; ++looked) {
        if (next == known_.end()) {
            scan.done = true;
            return;
        }
        scan.checked = next->first;
        if (next->second.scan != last_scan_) {
            look(scan.checked);
            if (closed_) return;
        }
        next = known_.upper_bound(scan.checked);
    }
}

} // namespace heddle::watch
