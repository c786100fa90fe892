#include "lsp/stdio.h"

#include <cerrno>
#include <csignal>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/write.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::lsp {

namespace {

namespace asio = boost::asio;

/// A duplicate of a descriptor, and the mode its file was in before Asio made it non-blocking.
struct SharedDescriptor {
    asio::posix::stream_descriptor stream;
    int flags = 0;

    explicit SharedDescriptor(asio::io_context& loop) : stream(loop) {}

    Result<void> open(int descriptor) {
        const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
        if (copy < 0)
            return fail(fmt::format("descriptor {}: {}", descriptor, std::generic_category().message(errno)));
        flags = ::fcntl(copy, F_GETFL);
        boost::system::error_code error;
        stream.assign(copy, error);
        if (!error) return {};
        ::close(copy);
        return fail(fmt::format("descriptor {}: {}", descriptor, error.message()));
    }

    void close() {
        if (!stream.is_open()) return;
        boost::system::error_code ignored;
        stream.cancel(ignored);
        // The mode belongs to the file, which the shell that started us has open as well.
        const int descriptor = stream.release();
        ::fcntl(descriptor, F_SETFL, flags);
        ::close(descriptor);
    }
};

bool same_file(int one, int other) {
    struct stat first {};
    struct stat second {};
    return ::fstat(one, &first) == 0 && ::fstat(other, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

class DescriptorTransport : public Transport {
  public:
    explicit DescriptorTransport(asio::io_context& loop) : input_(loop), output_(loop) {}
    DescriptorTransport(const DescriptorTransport&) = delete;
    DescriptorTransport& operator=(const DescriptorTransport&) = delete;
    DescriptorTransport(DescriptorTransport&&) = delete;
    DescriptorTransport& operator=(DescriptorTransport&&) = delete;
    ~DescriptorTransport() override {
        input_.close();
        output_.close();
    }

    Result<void> open(int input, int output) {
        if (auto opened = input_.open(input); !opened) return opened;
        if (auto opened = output_.open(output); !opened) return opened;
        is_one_file_ = same_file(input, output);
        return {};
    }

    void read_some(std::span<char> into, Done done) override {
        input_.stream.async_read_some(
            asio::buffer(into.data(), into.size()),
            [done = std::move(done)](const boost::system::error_code& error, std::size_t bytes) {
                done(error == asio::error::eof ? std::error_code() : std::error_code(error), bytes);
            });
    }

    void write(std::string_view bytes, Done done) override {
        asio::async_write(output_.stream, asio::buffer(bytes),
                          [done = std::move(done)](const boost::system::error_code& error,
                                                   std::size_t written) { done(error, written); });
    }

    void finish_writing() override {
        // Some editors start us on one socket for both: closing would restore its mode under the reader.
        if (!is_one_file_) return output_.close();
        if (output_.stream.is_open()) ::shutdown(output_.stream.native_handle(), SHUT_WR);
    }

    void close() override {
        input_.close();
        output_.close();
    }

    [[nodiscard]] std::string name() const override { return "stdio"; }

  private:
    SharedDescriptor input_;
    SharedDescriptor output_;
    bool is_one_file_ = false;
};

/// A reader that leaves is an error of the write, not the death of the process.
void ignore_broken_pipes() {
    struct sigaction current {};
    if (::sigaction(SIGPIPE, nullptr, &current) == 0 && current.sa_handler == SIG_DFL) {
        current.sa_handler = SIG_IGN;
        ::sigaction(SIGPIPE, &current, nullptr);
    }
}

} // namespace

Result<std::unique_ptr<Transport>> descriptor_transport(asio::io_context& loop, int input, int output) {
    ignore_broken_pipes();
    auto transport = std::make_unique<DescriptorTransport>(loop);
    if (auto opened = transport->open(input, output); !opened) return tl::make_unexpected(opened.error());
    return transport;
}

Result<std::unique_ptr<Transport>> stdio_transport(asio::io_context& loop) {
    return descriptor_transport(loop, STDIN_FILENO, STDOUT_FILENO);
}

} // namespace heddle::lsp
