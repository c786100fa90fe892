// A transport over a connected socket of Asio, of any stream protocol. Internal to socket.cpp and
// listener.cpp.
#pragma once

#include "lsp/transport.h"

#include <string>
#include <type_traits>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

namespace heddle::lsp {

template<typename Protocol>
class SocketTransport : public Transport {
  public:
    SocketTransport(typename Protocol::socket socket, std::string name)
        : socket_(std::move(socket)), name_(std::move(name)) {
        if constexpr (std::is_same_v<Protocol, boost::asio::ip::tcp>) {
            // Messages are small and waited for; the kernel is not to collect them.
            boost::system::error_code ignored;
            socket_.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
        }
    }

    void read_some(std::span<char> into, Done done) override {
        socket_.async_read_some(
            boost::asio::buffer(into.data(), into.size()),
            [done = std::move(done)](const boost::system::error_code& error, std::size_t bytes) {
                done(error == boost::asio::error::eof ? std::error_code() : std::error_code(error), bytes);
            });
    }

    void write(std::string_view bytes, Done done) override {
        boost::asio::async_write(socket_, boost::asio::buffer(bytes),
                                 [done = std::move(done)](const boost::system::error_code& error,
                                                          std::size_t written) { done(error, written); });
    }

    void finish_writing() override {
        boost::system::error_code ignored;
        socket_.shutdown(Protocol::socket::shutdown_send, ignored);
    }

    void close() override {
        boost::system::error_code ignored;
        socket_.close(ignored);
    }

    [[nodiscard]] std::string name() const override { return name_; }

  private:
    typename Protocol::socket socket_;
    std::string name_;
};

} // namespace heddle::lsp
