// The base protocol of LSP 3.17: messages as bodies of a stated length behind a small header.
//
//     Content-Length: 52\r\n
//     Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n      (optional)
//     \r\n
//     {"jsonrpc":"2.0", …                                              (52 bytes, not characters)
//
// Knows bytes only: what a body says is for others to read. Not thread-safe; one reader per stream.
// O(bytes fed), plus at most a header's limit per error. Memory grows with the bytes that arrived, never
// with what a header announces.
//
// Damage. A header that cannot be right is an error value, once; the reader then passes over bytes until
// the next `Content-Length: <digits>\r\n` that does not continue a longer header name, and goes on there.
// No JSON text holds such a line (inside a string the line break would be escaped, outside of one the
// letters are no token), so a body that lost its header is passed over, however it is formatted.
//   - A header block with a line that is no header (a stray print, the tail of a body whose length was
//     stated too small) or without an end is searched itself: a good header in it is not lost.
//   - A block of well-formed lines that contradict each other, or ask for what is not supported, is
//     passed over as a whole, and its body with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace heddle::lsp {

struct FramingLimits {
    std::size_t max_header_bytes = std::size_t{8} << 10U; ///< of one header, its closing empty line included
    std::size_t max_body_bytes = std::size_t{64} << 20U;
};

struct FramingError {
    std::string message;

    bool operator==(const FramingError&) const = default;
};

class FrameReader {
  public:
    explicit FrameReader(FramingLimits limits = {}) : limits_(limits) {}

    /// From the next header on.
    void limit_body(std::size_t max_bytes) { limits_.max_body_bytes = max_bytes; }

    /// Takes the next bytes of the stream, in pieces of any size. Call next() until it has nothing
    /// before feeding more: what is fed and not asked for is kept.
    void feed(std::string_view bytes);

    using Frame = tl::expected<std::string, FramingError>;
    /// The next message body, or what was wrong with the stream; nothing until more bytes arrive.
    [[nodiscard]] std::optional<Frame> next();

    /// The stream has ended: what is missing of a message that had begun. Nothing when none had.
    [[nodiscard]] std::optional<FramingError> finish() const;

    /// Bytes passed over in search of a header, in all.
    [[nodiscard]] std::uint64_t skipped_bytes() const { return skipped_bytes_; }

  private:
    enum class State : std::uint8_t { header, body, lost };

    [[nodiscard]] std::string_view pending() const { return std::string_view(buffer_).substr(consumed_); }
    void skip(std::size_t bytes);
    [[nodiscard]] bool find_header();
    [[nodiscard]] std::optional<Frame> read_header();
    [[nodiscard]] std::optional<Frame> read_body();

    FramingLimits limits_;
    State state_ = State::header;
    std::string buffer_; ///< fed and not yet part of a body, from consumed_ on
    std::size_t consumed_ = 0;
    std::size_t searched_ = 0; ///< bytes of pending() known not to hold the end of the header
    std::string body_;
    std::size_t body_size_ = 0;
    std::uint64_t skipped_bytes_ = 0;
};

/// The message with this body, ready to be sent.
[[nodiscard]] std::string frame(std::string_view body);

} // namespace heddle::lsp
