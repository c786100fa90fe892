#include "traces/io/byte_source.h"

#include "traces/io/decompress.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle {

namespace {

class FileSource final : public ByteSource {
  public:
    FileSource(int descriptor, std::uint64_t size, std::string path)
        : descriptor_(descriptor), total_(size), path_(std::move(path)) {}
    ~FileSource() override { ::close(descriptor_); }
    FileSource(const FileSource&) = delete;
    FileSource& operator=(const FileSource&) = delete;
    FileSource(FileSource&&) = delete;
    FileSource& operator=(FileSource&&) = delete;

    Result<std::size_t> read(std::span<char> into) override {
        for (;;) {
            const ssize_t count = ::read(descriptor_, into.data(), into.size());
            if (count >= 0) {
                consumed_ += static_cast<std::uint64_t>(count);
                return static_cast<std::size_t>(count);
            }
            if (errno != EINTR) {
                return fail(fmt::format("{}: cannot read: {}", path_, std::strerror(errno)));
            }
        }
    }
    [[nodiscard]] std::uint64_t consumed() const override { return consumed_; }
    [[nodiscard]] std::uint64_t total() const override { return total_; }

  private:
    int descriptor_;
    std::uint64_t total_;
    std::uint64_t consumed_ = 0;
    std::string path_;
};

class MemorySource final : public ByteSource {
  public:
    explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}

    Result<std::size_t> read(std::span<char> into) override {
        const std::size_t count = bytes_.copy(into.data(), into.size(), consumed_);
        consumed_ += count;
        return count;
    }
    [[nodiscard]] std::uint64_t consumed() const override { return consumed_; }
    [[nodiscard]] std::uint64_t total() const override { return bytes_.size(); }

  private:
    std::string_view bytes_;
    std::size_t consumed_ = 0;
};

/// The first bytes of a source, looked at to tell the format, then delivered like the rest.
struct Magic {
    std::array<char, 4> bytes{};
    std::size_t size = 0;

    [[nodiscard]] std::string_view text() const { return {bytes.data(), size}; }
};

class SourceAfterMagic final : public ByteSource {
  public:
    SourceAfterMagic(std::unique_ptr<ByteSource> rest, const Magic& magic)
        : rest_(std::move(rest)), magic_(magic) {}

    Result<std::size_t> read(std::span<char> into) override {
        if (given_ == magic_.size) return rest_->read(into);
        const std::size_t count = magic_.text().copy(into.data(), into.size(), given_);
        given_ += count;
        return count;
    }
    [[nodiscard]] std::uint64_t consumed() const override { return rest_->consumed(); }
    [[nodiscard]] std::uint64_t total() const override { return rest_->total(); }

  private:
    std::unique_ptr<ByteSource> rest_;
    Magic magic_;
    std::size_t given_ = 0;
};

bool is_gzip(std::string_view magic) {
    return magic.starts_with("\x1f\x8b");
}

bool is_zstd(std::string_view magic) {
    if (magic.size() < 4) return false;
    magic = magic.substr(0, 4);
    const bool frame = magic == "\x28\xb5\x2f\xfd";
    const bool skippable_frame = (magic[0] & 0xF0) == 0x50 && magic.substr(1) == "\x2a\x4d\x18";
    return frame || skippable_frame;
}

Result<std::unique_ptr<ByteSource>> decoded(std::unique_ptr<ByteSource> raw, std::string name) {
    Magic magic;
    while (magic.size < magic.bytes.size()) {
        const Result<std::size_t> count = raw->read(std::span(magic.bytes).subspan(magic.size));
        if (!count) return tl::make_unexpected(count.error());
        if (*count == 0) break;
        magic.size += *count;
    }
    auto whole = std::make_unique<SourceAfterMagic>(std::move(raw), magic);
    if (is_gzip(magic.text())) return gunzip(std::move(whole), std::move(name));
    if (is_zstd(magic.text())) return unzstd(std::move(whole), std::move(name));
    return whole;
}

} // namespace

bool starts_like_compressed(std::string_view bytes) {
    return is_gzip(bytes) || is_zstd(bytes);
}

Result<std::unique_ptr<ByteSource>> open_bytes(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return fail(fmt::format("{}: cannot open: {}", path, std::strerror(errno)));
    struct stat status {};
    const bool known = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    const std::uint64_t size = known ? static_cast<std::uint64_t>(status.st_size) : 0;
    return decoded(std::make_unique<FileSource>(descriptor, size, path), path);
}

std::unique_ptr<ByteSource> bytes_in_memory(std::string_view bytes, std::string name) {
    return *decoded(std::make_unique<MemorySource>(bytes), std::move(name));
}

} // namespace heddle
