#include "traces/io/decompress.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#define ZLIB_CONST
#include <zlib.h>

namespace heddle {

namespace {

class GzipSource final : public ByteSource {
  public:
    GzipSource(std::unique_ptr<ByteSource> raw, std::string name)
        : input_(std::move(raw)), name_(std::move(name)) {
        constexpr int kGzipWithLargestWindow = 15 + 16;
        if (inflateInit2(&stream_, kGzipWithLargestWindow) != Z_OK) error_ = "out of memory";
    }
    ~GzipSource() override { inflateEnd(&stream_); }
    GzipSource(const GzipSource&) = delete;
    GzipSource& operator=(const GzipSource&) = delete;
    GzipSource(GzipSource&&) = delete;
    GzipSource& operator=(GzipSource&&) = delete;

    Result<std::size_t> read(std::span<char> into) override {
        std::size_t produced = 0;
        while (produced == 0 && error_.empty()) {
            if (input_.bytes().empty()) {
                const Result<bool> more = input_.refill();
                if (!more) {
                    error_ = more.error().message;
                } else if (!*more) {
                    if (!inside_member_) return 0;
                    error_ = fmt::format("{}: the gzip data is cut off after {} bytes", name_,
                                         input_.raw().consumed());
                }
                continue;
            }
            produced = inflate_some(into);
        }
        if (produced > 0) return produced;
        return fail(error_);
    }
    [[nodiscard]] std::uint64_t consumed() const override { return input_.raw().consumed(); }
    [[nodiscard]] std::uint64_t total() const override { return input_.raw().total(); }

  private:
    std::size_t inflate_some(std::span<char> into) {
        if (!inside_member_) {
            inside_member_ = true;
            inflateReset(&stream_);
        }
        const std::span<const char> from = input_.bytes();
        const std::size_t room = std::min<std::size_t>(into.size(), std::numeric_limits<uInt>::max());
        stream_.next_in = reinterpret_cast<const Bytef*>(from.data());
        stream_.avail_in = static_cast<uInt>(from.size());
        stream_.next_out = reinterpret_cast<Bytef*>(into.data());
        stream_.avail_out = static_cast<uInt>(room);
        const int status = inflate(&stream_, Z_NO_FLUSH);
        input_.drop(from.size() - stream_.avail_in);
        if (status == Z_STREAM_END) {
            inside_member_ = false;
        } else if (status != Z_OK && status != Z_BUF_ERROR) {
            error_ = fmt::format("{}: the gzip data is damaged near byte {}: {}", name_,
                                 input_.raw().consumed() - input_.bytes().size(),
                                 stream_.msg != nullptr ? stream_.msg : "not gzip data");
        }
        return room - stream_.avail_out;
    }

    CompressedInput input_;
    std::string name_;
    std::string error_; ///< why no more can be read
    z_stream stream_{};
    bool inside_member_ = true;
};

} // namespace

std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> raw, std::string name) {
    return std::make_unique<GzipSource>(std::move(raw), std::move(name));
}

} // namespace heddle
