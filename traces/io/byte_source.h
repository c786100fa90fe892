// Bytes in sequence: a file as it is, or what a gzip or zstd file decompresses to. Which of the three is
// told by the file's first bytes, never by its name.
//
// Reads go straight into the caller's buffer with large read() calls. Files are not mapped: mapped pages
// count as resident memory, and a file that is cut short while mapped kills the reader. Memory is
// bounded: 128 KiB of compressed input, and a zstd window of at most 128 MiB.
//
// A source belongs to one thread.
#pragma once

#include "traces/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace heddle {

class ByteSource {
  public:
    ByteSource() = default;
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;
    ByteSource(ByteSource&&) = delete;
    ByteSource& operator=(ByteSource&&) = delete;
    virtual ~ByteSource() = default;

    /// Fills a prefix of `into` (not empty) and tells its length; 0 at the end. Everything before a
    /// damaged spot is delivered first; the error, which names the file, comes with the read after it.
    [[nodiscard]] virtual Result<std::size_t> read(std::span<char> into) = 0;

    /// How much of the file itself, compressed or not, was taken, and its size (0: not known).
    [[nodiscard]] virtual std::uint64_t consumed() const = 0;
    [[nodiscard]] virtual std::uint64_t total() const = 0;
};

/// Whether bytes that start like this are taken for gzip or zstd data.
[[nodiscard]] bool starts_like_compressed(std::string_view bytes);

[[nodiscard]] Result<std::unique_ptr<ByteSource>> open_bytes(const std::string& path);

/// The same over bytes in memory, which must outlive the source. `name` stands in for the path in errors.
[[nodiscard]] std::unique_ptr<ByteSource> bytes_in_memory(std::string_view bytes,
                                                          std::string name = "memory");

} // namespace heddle
