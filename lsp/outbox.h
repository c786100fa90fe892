// What is to be sent to a peer: framed messages, written in order and as many at once as there are. Holds a
// bounded number of bytes. Internal to Connection.
#pragma once

#include "lsp/transport.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace heddle::lsp {

class Outbox {
  public:
    Outbox(Transport& transport, std::size_t max_bytes) : transport_(transport), max_bytes_(max_bytes) {}

    void limit(std::size_t max_bytes) { max_bytes_ = max_bytes; }

    /// False if it does not fit, because the peer does not read.
    [[nodiscard]] bool push(std::string_view body);

    /// Begins a write if there is something to write and none is under way. When it is done, call written().
    void flush(Transport::Done done);
    void written();

    [[nodiscard]] std::size_t bytes() const { return waiting_.size() + under_way_.size(); }

  private:
    Transport& transport_;
    std::size_t max_bytes_;
    std::string waiting_;
    std::string under_way_;
};

} // namespace heddle::lsp
