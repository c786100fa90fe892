#include "traces/io/random_access.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle {

namespace {

std::string reason(int error) {
    return std::generic_category().message(error);
}

class FileAccess final : public RandomAccess {
  public:
    FileAccess(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
    ~FileAccess() override { ::close(descriptor_); }
    FileAccess(const FileAccess&) = delete;
    FileAccess& operator=(const FileAccess&) = delete;
    FileAccess(FileAccess&&) = delete;
    FileAccess& operator=(FileAccess&&) = delete;

    [[nodiscard]] Result<std::uint64_t> size() const override {
        struct stat status {};
        if (::fstat(descriptor_, &status) != 0) return fail(fmt::format("{}: {}", path_, reason(errno)));
        return static_cast<std::uint64_t>(status.st_size);
    }

    [[nodiscard]] Result<std::size_t> read_at(std::uint64_t offset,
                                              std::span<std::uint8_t> to) const override {
        std::size_t done = 0;
        while (done < to.size()) {
            const ssize_t got =
                ::pread(descriptor_, to.data() + done, to.size() - done, static_cast<off_t>(offset + done));
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) return fail(fmt::format("{}: cannot be read: {}", path_, reason(errno)));
            if (got == 0) break;
            done += static_cast<std::size_t>(got);
        }
        return done;
    }

    [[nodiscard]] bool still_named() const override {
        struct stat named {};
        struct stat opened {};
        return ::stat(path_.c_str(), &named) == 0 && ::fstat(descriptor_, &opened) == 0 &&
               named.st_ino == opened.st_ino && named.st_dev == opened.st_dev;
    }

  private:
    std::string path_;
    int descriptor_;
};

class MemoryAccess final : public RandomAccess {
  public:
    explicit MemoryAccess(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    [[nodiscard]] Result<std::uint64_t> size() const override { return bytes_.size(); }
    [[nodiscard]] Result<std::size_t> read_at(std::uint64_t offset,
                                              std::span<std::uint8_t> to) const override {
        if (offset >= bytes_.size()) return std::size_t{0};
        const std::size_t count = std::min<std::size_t>(to.size(), bytes_.size() - offset);
        std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), count, to.begin());
        return count;
    }
    [[nodiscard]] bool still_named() const override { return true; }

  private:
    std::span<const std::uint8_t> bytes_;
};

} // namespace

Result<std::unique_ptr<RandomAccess>> open_file(const std::string& path) {
    // Without O_NONBLOCK the open of a named pipe that nobody writes would hang.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return fail(fmt::format("{}: cannot be opened: {}", path, reason(errno)));
    auto file = std::make_unique<FileAccess>(path, descriptor);
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) return fail(fmt::format("{}: {}", path, reason(errno)));
    if (!S_ISREG(status.st_mode)) {
        return fail(fmt::format("{}: is {}, not a file", path,
                                S_ISDIR(status.st_mode) ? "a directory" : "a device or pipe"));
    }
    return file;
}

std::unique_ptr<RandomAccess> open_memory(std::span<const std::uint8_t> bytes) {
    return std::make_unique<MemoryAccess>(bytes);
}

} // namespace heddle
