// A stream of bytes to and from one peer, on an Asio loop. Implementations: stdio.h, socket.h.
//
// All calls and all callbacks are on the loop's thread; a callback never runs inside the call that asked
// for it. At most one read and one write at a time; the memory given stays valid until the callback. After
// close(), or when the transport is destroyed, what is under way ends with an error, or is not called back
// at all: what a callback refers to must be kept alive by the callback itself.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace heddle::lsp {

class Transport {
  public:
    using Done = std::function<void(std::error_code error, std::size_t bytes)>;

    Transport() = default;
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;
    Transport(Transport&&) = delete;
    Transport& operator=(Transport&&) = delete;
    virtual ~Transport() = default;

    /// Reads at least one byte. At the end of the stream: no error, and no bytes.
    virtual void read_some(std::span<char> into, Done done) = 0;
    /// Writes all of it.
    virtual void write(std::string_view bytes, Done done) = 0;
    /// The peer sees the end of the stream; reading goes on.
    virtual void finish_writing() = 0;
    virtual void close() = 0;

    /// For logs: "stdio", "unix:/run/user/1000/heddle.sock", "tcp:127.0.0.1:41234".
    [[nodiscard]] virtual std::string name() const = 0;
};

} // namespace heddle::lsp
