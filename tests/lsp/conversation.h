// A server's Connection on one end of a socket pair, and a client on the other that sends and reads JSON; one
// loop, one thread. Nothing waits for time to pass: the loop runs until what is waited for has happened.
#pragma once

#include "lsp/connection.h"
#include "lsp/framing.h"
#include "lsp/json.h"
#include "lsp/stdio.h"

#include <array>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/socket.h>
#include <unistd.h>

namespace heddle::lsp::test {

/// Runs the loop until it holds; a test that would wait for ever fails instead.
inline bool run_until(boost::asio::io_context& loop, const std::function<bool()>& holds) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(240);
    const auto work =
        boost::asio::make_work_guard(loop); // else a loop that has nothing to do does not even wait
    while (!holds()) {
        if (std::chrono::steady_clock::now() > deadline) {
            ADD_FAILURE() << "what is waited for does not happen";
            return false;
        }
        loop.restart();
        loop.run_one_for(std::chrono::milliseconds(10));
    }
    return true;
}

struct DescriptorPair {
    int one = -1;
    int other = -1;
};

inline DescriptorPair socket_pair() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    return {ends[0], ends[1]};
}

/// The transport has duplicates of its own; the given ones are closed.
inline std::unique_ptr<Transport> transport_over(boost::asio::io_context& loop, int input, int output) {
    auto transport = descriptor_transport(loop, input, output);
    ::close(input);
    if (output != input) ::close(output);
    EXPECT_TRUE(transport) << transport.error().message;
    return transport ? std::move(*transport) : nullptr;
}

/// The client's end: what arrived, as it arrived.
class Client {
  public:
    Client(boost::asio::io_context& loop, std::unique_ptr<Transport> transport)
        : loop_(loop), state_(std::make_shared<State>()) {
        state_->transport = std::move(transport);
    }

    /// Until this is called nothing is read, as by a client that hangs.
    void start_reading() {
        if (!std::exchange(state_->reading, true)) read_more(state_);
    }

    void send_bytes(std::string bytes) {
        state_->outgoing.push_back(std::move(bytes));
        if (state_->outgoing.size() == 1) write_more(state_);
    }
    void send_body(std::string_view body) { send_bytes(frame(body)); }
    void send(const Json& message) { send_body(to_text(message)); }
    void request(const Json& id, std::string_view method, Json params = Json::object()) {
        send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
    }
    void notify(std::string_view method, Json params = Json::object()) {
        send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
    }

    /// The next message of the server; null if it hangs up instead.
    Json next() {
        start_reading();
        run_until(loop_, [this] { return !state_->received.empty() || state_->ended; });
        if (state_->received.empty()) return nullptr;
        Json message = std::move(state_->received.front());
        state_->received.pop_front();
        return message;
    }

    [[nodiscard]] bool sees_end() {
        start_reading();
        return run_until(loop_, [this] { return state_->ended; });
    }
    [[nodiscard]] std::size_t waiting() const { return state_->received.size(); }
    /// The end of the stream, behind what was sent before.
    void send_end() { send_bytes({}); }
    void hang_up() { state_->transport->close(); }

  private:
    struct State {
        std::unique_ptr<Transport> transport;
        FrameReader reader;
        std::array<char, 4096> buffer{};
        std::deque<Json> received;
        std::deque<std::string> outgoing;
        bool reading = false;
        bool ended = false;
    };

    static void read_more(const std::shared_ptr<State>& state) {
        state->transport->read_some(state->buffer, [state](std::error_code error, std::size_t bytes) {
            if (error || bytes == 0) {
                state->ended = true;
                return;
            }
            state->reader.feed({state->buffer.data(), bytes});
            while (const auto body = state->reader.next()) {
                ASSERT_TRUE(body->has_value()) << body->error().message;
                const auto json = parse_json(**body);
                ASSERT_TRUE(json.has_value()) << **body;
                state->received.push_back(*json);
            }
            read_more(state);
        });
    }

    static void write_more(const std::shared_ptr<State>& state) {
        if (state->outgoing.front().empty()) return state->transport->finish_writing();
        state->transport->write(state->outgoing.front(), [state](std::error_code error, std::size_t) {
            state->outgoing.pop_front();
            if (!error && !state->outgoing.empty()) write_more(state);
        });
    }

    boost::asio::io_context& loop_;
    std::shared_ptr<State> state_;
};

class Conversation {
  public:
    explicit Conversation(Limits limits = {}) : Conversation(limits, socket_pair()) {}

    /// Runs the loop until everything that was sent so far has been handled: a request of its own is
    /// answered.
    void settle() {
        server.on_request("test/settle", [](const Json&, Reply reply) { reply.answer("settled"); });
        client.request("settle", "test/settle");
        while (true) {
            const Json message = client.next();
            if (message.is_null() || message.value("id", Json()) == "settle") return;
            others.push_back(message);
        }
    }

    boost::asio::io_context loop;
    std::vector<std::string> log;
    std::vector<Json> others; ///< what arrived before settle() was answered
    Connection server;
    Client client;

  private:
    Conversation(Limits limits, DescriptorPair ends)
        : server(
              loop, transport_over(loop, ends.one, ends.one),
              {.limits = limits, .log = [this](LogLevel, std::string_view text) { log.emplace_back(text); }}),
          client(loop, transport_over(loop, ends.other, ends.other)) {}
};

inline std::int64_t error_code(const Json& message) {
    if (!message.is_object() || !message.contains("error")) return 0;
    return message["error"]["code"].get<std::int64_t>();
}

inline std::int64_t code(ErrorCode value) {
    return static_cast<std::int64_t>(value);
}

} // namespace heddle::lsp::test
