#include "traces/io/decompress.h"

#include <fmt/format.h>
#include <zstd.h>

namespace heddle {

namespace {

/// A window larger than 128 MiB is refused: it would be memory that the file, not the user, chose.
constexpr int kWindowLogMax = 27;

class ZstdSource final : public ByteSource {
  public:
    ZstdSource(std::unique_ptr<ByteSource> raw, std::string name)
        : input_(std::move(raw)), name_(std::move(name)), decoder_(ZSTD_createDCtx(), &ZSTD_freeDCtx) {
        if (decoder_ == nullptr) {
            error_ = "out of memory";
        } else {
            ZSTD_DCtx_setParameter(decoder_.get(), ZSTD_d_windowLogMax, kWindowLogMax);
        }
    }

    Result<std::size_t> read(std::span<char> into) override {
        std::size_t produced = 0;
        while (produced == 0 && error_.empty()) {
            // Output may still wait in the decoder when the last read filled the caller's buffer.
            if (input_.bytes().empty() && !output_waits_) {
                const Result<bool> more = input_.refill();
                if (!more) {
                    error_ = more.error().message;
                } else if (!*more) {
                    if (!inside_frame_) return 0;
                    error_ = fmt::format("{}: the zstd data is cut off after {} bytes", name_,
                                         input_.raw().consumed());
                }
                continue;
            }
            produced = decompress_some(into);
        }
        if (produced > 0) return produced;
        return fail(error_);
    }
    [[nodiscard]] std::uint64_t consumed() const override { return input_.raw().consumed(); }
    [[nodiscard]] std::uint64_t total() const override { return input_.raw().total(); }

  private:
    std::size_t decompress_some(std::span<char> into) {
        const std::span<const char> bytes = input_.bytes();
        ZSTD_inBuffer from{bytes.data(), bytes.size(), 0};
        ZSTD_outBuffer to{into.data(), into.size(), 0};
        const std::size_t status = ZSTD_decompressStream(decoder_.get(), &to, &from);
        input_.drop(from.pos);
        if (ZSTD_isError(status) != 0) {
            error_ = fmt::format("{}: the zstd data is damaged near byte {}: {}", name_,
                                 input_.raw().consumed() - input_.bytes().size(), ZSTD_getErrorName(status));
        } else {
            inside_frame_ = status != 0;
            output_waits_ = inside_frame_ && to.pos == to.size;
        }
        return to.pos;
    }

    CompressedInput input_;
    std::string name_;
    std::string error_; ///< why no more can be read
    std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> decoder_;
    bool inside_frame_ = true;
    bool output_waits_ = false;
};

} // namespace

std::unique_ptr<ByteSource> unzstd(std::unique_ptr<ByteSource> raw, std::string name) {
    return std::make_unique<ZstdSource>(std::move(raw), std::move(name));
}

} // namespace heddle
