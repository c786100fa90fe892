#include "lsp/socket_file.h"

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace heddle::lsp {

namespace {

constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;

tl::unexpected<Error> system_failure(const std::string& path, std::string_view what) {
    return fail(fmt::format("{}: {}: {}", path, what, std::generic_category().message(errno)));
}

/// Closes when it goes out of scope; for a lock file, that also unlocks.
class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor(Descriptor&&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }

    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] bool is_open() const { return number_ >= 0; }
    [[nodiscard]] int release() { return std::exchange(number_, -1); }

  private:
    int number_;
};

/// The path is known to fit (parse_endpoint).
sockaddr_un address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(static_cast<char*>(address.sun_path), sizeof address.sun_path - 1);
    return address;
}

const sockaddr* generic(const sockaddr_un& address) {
    return reinterpret_cast<const sockaddr*>(&address);
}

int new_socket() {
    return ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

/// Removes what a daemon left behind that is no longer there.
Result<void> clear_way(const std::string& path) {
    struct stat file {};
    if (::lstat(path.c_str(), &file) != 0) {
        if (errno == ENOENT) return {};
        return system_failure(path, "cannot be looked at");
    }
    if (!S_ISSOCK(file.st_mode))
        return fail(fmt::format("{} is there, and is no socket: choose another path", path));
    const Descriptor probe(new_socket());
    if (!probe.is_open()) return system_failure(path, "no socket");
    const sockaddr_un address = address_of(path);
    if (::connect(probe.number(), generic(address), sizeof address) == 0)
        return fail(fmt::format("{} is in use: a daemon is already listening there", path));
    if (errno != ECONNREFUSED) return system_failure(path, "is there, but cannot be connected to");
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) return system_failure(path, "cannot be replaced");
    return {};
}

} // namespace

Result<SocketFile> SocketFile::make(const std::string& path) {
    const std::string lock_path = path + ".lock";
    const Descriptor lock(::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kOwnerOnly));
    if (!lock.is_open()) return system_failure(lock_path, "cannot be made");
    while (::flock(lock.number(), LOCK_EX) != 0) {
        if (errno != EINTR) return system_failure(lock_path, "cannot be locked");
    }
    if (auto cleared = clear_way(path); !cleared) return tl::make_unexpected(cleared.error());

    Descriptor listening(new_socket());
    if (!listening.is_open()) return system_failure(path, "no socket");
    // Linux gives the file the mode of the socket, less the umask: it is never open to others, not even for
    // the moment before chmod gives the owner what the umask took away.
    const sockaddr_un address = address_of(path);
    if (::fchmod(listening.number(), kOwnerOnly) != 0 ||
        ::bind(listening.number(), generic(address), sizeof address) != 0) {
        return system_failure(path, "cannot be listened on");
    }
    struct stat file {};
    if (::chmod(path.c_str(), kOwnerOnly) != 0 || ::listen(listening.number(), SOMAXCONN) != 0 ||
        ::lstat(path.c_str(), &file) != 0) {
        return system_failure(path, "cannot be listened on");
    }
    SocketFile made;
    made.path_ = path;
    made.descriptor_ = listening.release();
    made.device_ = file.st_dev;
    made.inode_ = file.st_ino;
    return made;
}

void SocketFile::remove() const {
    struct stat file {};
    if (::lstat(path_.c_str(), &file) == 0 && file.st_dev == device_ && file.st_ino == inode_)
        ::unlink(path_.c_str());
}

} // namespace heddle::lsp
