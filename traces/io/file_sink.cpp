#include "traces/io/file_sink.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace heddle {

namespace {

/// Opens a new file beside `path`. mkstemp would do but for its mode, which only the process-wide umask
/// could widen correctly.
int open_beside(const std::string& path, std::string& temporary) {
    constexpr int kTries = 1000; // names may be left over from a process that died
    for (int attempt = 0; attempt < kTries; ++attempt) {
        temporary = fmt::format("{}.{}-{}.tmp", path, ::getpid(), attempt);
        const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST) return descriptor;
    }
    return -1;
}

} // namespace

FileSink::~FileSink() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<void> FileSink::failed(std::string_view doing) const {
    return fail(fmt::format("{}: cannot {}: {}", path_, doing, std::strerror(errno)));
}

Result<void> FileSink::open() {
    if (descriptor_ >= 0) return {};
    std::string temporary;
    descriptor_ = open_beside(path_, temporary);
    if (descriptor_ < 0) return failed("create");
    temporary_ = std::move(temporary);
    return {};
}

Result<void> FileSink::write(std::string_view bytes) {
    if (Result<void> opened = open(); !opened) return opened;
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
        if (count < 0) {
            if (errno == EINTR) continue;
            return failed("write");
        }
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return {};
}

Result<void> FileSink::finish() {
    if (Result<void> opened = open(); !opened) return opened;
    // Some file systems report a full disk only when the file is closed.
    const int descriptor = std::exchange(descriptor_, -1);
    if (::close(descriptor) != 0) return failed("write");
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) return failed("replace");
    temporary_.clear();
    return {};
}

} // namespace heddle
