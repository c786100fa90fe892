// The life of a session: uninitialized → initialized → shut down → ended.
//
//   before initialize   requests are refused with ServerNotInitialized, notifications dropped, but for exit
//   initialize          once; a second one is InvalidRequest. With a token in the options, the client must
//                       present it as initializationOptions.token: a wrong one is refused, and the client
//                       disconnected. Until it has, it is a stranger (Connection::set_stranger)
//   after shutdown      requests are InvalidRequest, notifications dropped, but for exit
//   the end             exit, the end of the stream, or the death of the client's process (processId). The
//                       exit code is 0 after shutdown and 1 otherwise
//
// Lives on the loop, beside its Connection and not longer than it. Sets the connection's gate, its close
// handler, and the handlers of initialize, initialized, shutdown, exit.
#pragma once

#include "lsp/connection.h"
#include "lsp/process_watch.h"
#include "lsp/protocol/initialize.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace heddle::lsp {

struct SessionEnd {
    int exit_code = 1;
    std::string reason; ///< "exit", "the client's process 4711 died", what the connection closed for
};

struct LifecycleOptions {
    std::optional<std::string> token; ///< what the client must present; never empty
    bool watch_client_process = true;
};

struct LifecycleHandlers {
    using InitializeOutcome = tl::expected<InitializeResult, ResponseError>;

    /// An error leaves the session uninitialized. Send nothing to the client from here.
    std::function<InitializeOutcome(const InitializeParams&)> initialize;
    std::function<void()> initialized; ///< the client is ready for requests; may be empty
    std::function<void()> shutdown;    ///< may be empty
    /// Once, from the loop, when the session is over; the connection is closed by then. The Lifecycle and
    /// its Connection may not be destroyed inside, only after: post it to the loop.
    std::function<void(const SessionEnd&)> ended;
};

class Lifecycle {
  public:
    enum class State : std::uint8_t { uninitialized, initialized, shut_down, ended };

    Lifecycle(boost::asio::io_context& loop, Connection& connection, LifecycleOptions options,
              LifecycleHandlers handlers);
    Lifecycle(const Lifecycle&) = delete;
    Lifecycle& operator=(const Lifecycle&) = delete;
    Lifecycle(Lifecycle&&) = delete;
    Lifecycle& operator=(Lifecycle&&) = delete;
    ~Lifecycle() = default;

    [[nodiscard]] State state() const { return state_; }

  private:
    [[nodiscard]] std::optional<ResponseError> gate(std::string_view method) const;
    void initialize(const Json& params, Reply reply);
    void watch(std::int32_t process);
    void end(std::string reason);

    boost::asio::io_context& loop_;
    Connection& connection_;
    LifecycleOptions options_;
    LifecycleHandlers handlers_;
    State state_ = State::uninitialized;
    bool was_shut_down_ = false;
    std::unique_ptr<ProcessWatch> client_process_;
};

} // namespace heddle::lsp
