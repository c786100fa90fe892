// The answer to one request, owed by whoever holds this. Exactly one is sent:
//   - answer(), refuse() or refuse_cancelled(), whichever comes first; later calls are logged and ignored;
//   - a Reply that is dropped unanswered answers InternalError, so no client waits for ever;
//   - once the peer is gone, nothing is sent and nothing goes wrong.
//
// A Reply may be kept for later and answered from any place on the loop, but only there. The stop token may
// be given to other threads. It stops when the client cancels the request ($/cancelRequest) or goes away;
// the holder then answers refuse_cancelled(), or with a result that it happens to have by then.
#pragma once

#include "lsp/message.h"

#include <memory>
#include <stop_token>
#include <string>
#include <utility>

namespace heddle::lsp {

class ConnectionCore;

class Reply {
  public:
    Reply(std::weak_ptr<ConnectionCore> connection, RequestId id, std::string method, std::stop_token stop);
    Reply(const Reply&) = delete;
    Reply& operator=(const Reply&) = delete;
    Reply(Reply&& other) noexcept;
    Reply& operator=(Reply&& other) noexcept;
    ~Reply();

    void answer(Json result);
    void refuse(ResponseError error);
    void refuse(ErrorCode code, std::string message) { refuse(response_error(code, std::move(message))); }
    void refuse_cancelled() { refuse(ErrorCode::request_cancelled, "cancelled by the client"); }

    [[nodiscard]] std::stop_token stop_token() const;

  private:
    struct Debt;

    void settle(Outcome outcome);
    void drop() noexcept;

    std::unique_ptr<Debt> debt_; ///< none once moved from
};

} // namespace heddle::lsp
