// Every cap of the library. Each is reached only by a peer that is broken, hostile or stuck; what then
// happens is said beside it, and to the log.
#pragma once

#include "lsp/framing.h"
#include "lsp/json.h"

#include <chrono>
#include <cstddef>

namespace heddle::lsp {

struct Limits {
    FramingLimits framing; ///< a longer message is refused, and passed over
    JsonLimits json;       ///< a larger value is refused

    /// Bytes that wait for a peer that does not read; it is disconnected when a message does not fit any
    /// more. One message may be larger than this, if nothing else waits.
    std::size_t max_queued_bytes = std::size_t{64} << 20U;
    /// Requests of the peer that are not answered yet; more are answered with ServerCancelled at once.
    std::size_t max_unanswered_requests = 10'000;
    /// Requests to the peer that it did not answer yet; more fail at once.
    std::size_t max_awaited_responses = 10'000;
    /// Messages handled in one turn of the loop, so that one busy peer leaves room for the others.
    std::size_t max_messages_per_turn = 64;
    /// How long a peer that is to be disconnected may take to read the last words to it.
    std::chrono::milliseconds farewell{2'000};
    /// Of a peer that has yet to present the token, and may be anybody on this machine: the largest message,
    /// and the bytes that wait for it.
    std::size_t max_stranger_bytes = std::size_t{256} << 10U;
    /// How long such a peer may take to present it.
    std::chrono::milliseconds stranger_patience{10'000};
};

} // namespace heddle::lsp
