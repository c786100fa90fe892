// Sources that decompress what another source delivers. Used by open_bytes(); see byte_source.h.
#pragma once

#include "traces/io/byte_source.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// Compressed bytes on their way to a decoder, a buffer at a time.
class CompressedInput {
  public:
    explicit CompressedInput(std::unique_ptr<ByteSource> raw)
        : raw_(std::move(raw)), buffer_(std::size_t{128} << 10U) {}

    /// What the decoder has not used yet.
    [[nodiscard]] std::span<const char> bytes() const { return left_; }
    void drop(std::size_t count) { left_ = left_.subspan(count); }
    /// Reads more when bytes() is empty. False at the end of the file.
    [[nodiscard]] Result<bool> refill() {
        Result<std::size_t> count = raw_->read(buffer_);
        if (!count) return tl::make_unexpected(count.error());
        left_ = std::span<const char>(buffer_).first(*count);
        return *count > 0;
    }
    [[nodiscard]] const ByteSource& raw() const { return *raw_; }

  private:
    std::unique_ptr<ByteSource> raw_;
    std::vector<char> buffer_;
    std::span<const char> left_;
};

/// Gzip, also of several members one after the other.
[[nodiscard]] std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> raw, std::string name);

/// Zstandard, also of several frames.
[[nodiscard]] std::unique_ptr<ByteSource> unzstd(std::unique_ptr<ByteSource> raw, std::string name);

} // namespace heddle
