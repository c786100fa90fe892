#include "daemon/watch/watched_folder.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <boost/asio/post.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/inotify.h>
#include <unistd.h>

namespace heddle::watch {

namespace {

/// Of folders and links on the way: that they are no longer what their name leads to.
constexpr std::uint32_t kPlaceEvents = IN_MOVE_SELF | IN_DELETE_SELF | IN_DONT_FOLLOW;
/// Of a folder in which one name is awaited.
constexpr std::uint32_t kMissingEvents =
    IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM | IN_ATTRIB | IN_ONLYDIR;
/// Of a folder in which one name is there.
constexpr std::uint32_t kPresentEvents = IN_MOVED_TO | IN_DELETE | IN_ATTRIB | IN_ONLYDIR;
constexpr std::uint32_t kContentEvents =
    IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_ONLYDIR;

/// How often the way may change while it is being watched before others on the loop have their turn.
constexpr int kAttempts = 4;

bool out_of_watches(int error) {
    return error == ENOSPC || error == EMFILE || error == ENFILE || error == ENOMEM || error == ENOSYS;
}

} // namespace

WatchedFolder::WatchedFolder(Shared& shared, std::string path) : shared_(shared), path_(std::move(path)) {}

void WatchedFolder::close() {
    closed_ = true;
    watches_.clear();
    scan_.reset();
    known_.clear();
}

void WatchedFolder::append_files(std::vector<KnownFile>& files) const {
    for (const auto& [name, entry] : known_)
        files.push_back({.path = joined(path_, name), .stamp = entry.stamp});
}

void WatchedFolder::refresh() {
    if (closed_) return;
    if (shared_.options.poll_always) polled_ = true;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        // The old watches stay until the new ones are there: where both watch the same, no event is lost.
        std::vector<Inotify::Watch> watches;
        const WalkEnd end = polled_ ? walk(path_, [](const std::string&) {}) : watch_way(watches);
        // What changed before its watch was there has not been told: the way must still be the same.
        if (!polled_ && walk(path_, [](const std::string&) {}) != end) continue;
        watches_ = std::move(watches);
        return arrive(end);
    }
    boost::asio::post(shared_.io, [weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->refresh();
    });
}

int WatchedFolder::watch_place(const std::string& place, std::uint32_t mask, Inotify::Handler handler,
                               std::vector<Inotify::Watch>& watches) {
    Inotify::Watch watch;
    const int error = shared_.inotify.add(place, mask, std::move(handler), watch);
    if (error == 0) watches.push_back(std::move(watch));
    return error;
}

/// Walks to the folder and watches everything that may turn the way elsewhere. Begins to poll when that
/// cannot be.
WalkEnd WatchedFolder::watch_way(std::vector<Inotify::Watch>& watches) {
    const auto look_again = [weak = weak_from_this()](const InotifyEvent&) {
        if (const auto self = weak.lock()) self->refresh();
    };
    int failure = 0;
    const auto failed = [&](int error) {
        if (failure == 0 && out_of_watches(error)) failure = error;
        return error;
    };
    WalkEnd end = walk(path_, [&](const std::string& place) {
        failed(watch_place(place, kPlaceEvents, look_again, watches));
    });
    // The parent tells of the folder's end even if somebody has it open, and when it becomes readable.
    const std::string own_name = end.folder.substr(end.folder.rfind('/') + 1);
    const int parent_error = failed(watch_name(parent_of(end.folder), own_name, kPresentEvents, watches));
    const int error = failed(end.error == 0 ? watch_content(end.folder, watches)
                                            : watch_name(end.folder, end.missing, kMissingEvents, watches));
    // Other errors are of places that changed in between, which the caller notices.
    if (error == EACCES && parent_error == EACCES) failure = EACCES;
    if (on_network_file_system(end.folder)) {
        poll("it is on a network file system");
    } else if (failure != 0) {
        poll(fmt::format("inotify cannot watch it: {}", std::strerror(failure)));
    }
    if (polled_) watches.clear();
    return end;
}

int WatchedFolder::watch_content(const std::string& folder, std::vector<Inotify::Watch>& watches) {
    return watch_place(
        folder, kContentEvents,
        [weak = weak_from_this()](const InotifyEvent& event) {
            if (const auto self = weak.lock()) self->on_content(event);
        },
        watches);
}

int WatchedFolder::watch_name(const std::string& folder, const std::string& name, std::uint32_t mask,
                              std::vector<Inotify::Watch>& watches) {
    return watch_place(
        folder, mask,
        [weak = weak_from_this(), name](const InotifyEvent& event) {
            const auto self = weak.lock();
            if (self && (event.name.empty() || event.name == name)) self->refresh();
        },
        watches);
}

void WatchedFolder::poll(const std::string& why) {
    if (std::exchange(polled_, true)) return;
    if (shared_.options.log) {
        shared_.options.log(fmt::format("{}: looked at every {} ms, because {}", path_,
                                        shared_.options.poll_interval.count(), why));
    }
    shared_.on_polling();
}

/// The walk has ended: the folder is at its end, or nowhere.
void WatchedFolder::arrive(const WalkEnd& end) {
    int error = end.error;
    if (error == 0 && ::faccessat(AT_FDCWD, end.folder.c_str(), R_OK | X_OK, AT_EACCESS) != 0) error = errno;
    const std::string problem = error == 0 || error == ENOENT ? "" : std::strerror(error);
    if (!problem.empty() && problem != said_ && shared_.options.log)
        shared_.options.log(fmt::format("{}: cannot be read: {}", path_, problem));
    said_ = problem;
    // What may not be looked at now is not known to be gone.
    if (error != 0 && error != ENOENT && error != ENOTDIR && error != ELOOP) return;
    folder_ = error == 0 ? end.folder : "";
    start_scan();
}

bool WatchedFolder::wants(std::string_view name) const {
    return is_trace_name(name) || (shared_.options.also_wanted && shared_.options.also_wanted(name));
}

void WatchedFolder::on_content(const InotifyEvent& event) {
    if (event.name.empty() || (event.mask & IN_UNMOUNT) != 0) return refresh();
    if (!wants(event.name)) return;
    const std::string name(event.name);
    if ((event.mask & IN_CLOSE_WRITE) != 0) {
        look(name, true);
    } else if ((event.mask & (IN_MODIFY | IN_ATTRIB)) != 0) {
        look_later(name);
    } else {
        look(name);
    }
}

/// At once, unless the file was told of a moment ago.
void WatchedFolder::look_later(const std::string& name) {
    const auto found = known_.find(name);
    if (found == known_.end()) return look(name);
    Entry& entry = found->second;
    if (entry.look_planned) return;
    const auto due = entry.told + shared_.options.quiet;
    if (DelayedLooks::Clock::now() >= due) return look(name);
    entry.look_planned = true;
    shared_.delayed.at(due, [weak = weak_from_this(), name] {
        if (const auto self = weak.lock()) self->look(name);
    });
}

void WatchedFolder::look(const std::string& name, bool closed) {
    if (closed_) return;
    if (const auto found = known_.find(name); found != known_.end()) found->second.look_planned = false;
    observe(name, folder_.empty() ? Glance{} : glance_at(joined(folder_, name)), closed);
}

/// Tells how the file differs from what is known of it.
void WatchedFolder::observe(const std::string& name, const Glance& glance, bool closed) {
    if (!glance.certain) return;
    const auto found = known_.find(name);
    const auto before = found == known_.end() ? std::nullopt : std::optional(found->second.stamp);
    const std::optional<ChangeKind> kind = difference(before, glance.stamp);
    const bool tell_closed = closed && glance.stamp;
    if (kind && !(tell_closed && kind == ChangeKind::grew)) {
        if (!tell(name, *kind, glance.stamp ? *glance.stamp : *before)) return;
    }
    if (tell_closed) tell(name, ChangeKind::closed_by_writer, *glance.stamp);
}

/// False when the one who was told closed this folder.
bool WatchedFolder::tell(const std::string& name, ChangeKind kind, const FileStamp& stamp) {
    if (kind == ChangeKind::deleted) {
        known_.erase(name);
    } else {
        Entry& entry = known_[name];
        entry.stamp = stamp;
        entry.told = DelayedLooks::Clock::now();
        entry.scan = last_scan_;
    }
    shared_.on_change({.path = joined(path_, name), .kind = kind, .stamp = stamp});
    return !closed_;
}

} // namespace heddle::watch
