#include "daemon/settings/text_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::settings {

namespace {

/// Closes it at the end of the scope.
struct Descriptor {
    explicit Descriptor(int number_) : number(number_) {}
    ~Descriptor() {
        if (number >= 0) ::close(number);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor(Descriptor&&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;

    int number;
};

} // namespace

Result<std::optional<std::string>> read_text_file(const std::string& path, std::size_t most) {
    // Without O_NONBLOCK, opening a pipe would wait for a writer.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.number < 0 && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
    if (file.number < 0) return fail(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
    struct stat about {};
    if (::fstat(file.number, &about) != 0 || !S_ISREG(about.st_mode))
        return fail(fmt::format("{}: is not a file", path));
    std::string text;
    std::string piece(64 * 1024, '\0');
    while (true) {
        const ssize_t count = ::read(file.number, piece.data(), piece.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return fail(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
        if (count == 0) return text;
        text.append(piece, 0, static_cast<std::size_t>(count));
        if (text.size() > most)
            return fail(fmt::format("{}: is larger than {} KiB, and so not read", path, most / 1024));
    }
}

} // namespace heddle::settings
