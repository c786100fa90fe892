#include "traces/text/line_source.h"

#include <algorithm>
#include <utility>

namespace heddle::text {

namespace {
/// Large enough for the cost of read() to vanish, small enough to stay in the cache.
constexpr std::size_t kBufferBytes = std::size_t{256} << 10U;
} // namespace

LineSource::LineSource(ByteSource& bytes, std::size_t max_line_bytes)
    : bytes_(bytes), max_line_bytes_(max_line_bytes), buffer_(kBufferBytes) {}

LineSource::Step LineSource::next_after_refill() {
    if (passing_ && !refill()) {
        passing_ = false;
        return error_.empty() ? Step::too_long : Step::failed;
    }
    for (;;) {
        if (passing_ || end_ - at_ > max_line_bytes_) return pass_over_long_line();
        const std::size_t searched = end_ - at_;
        if (!refill()) {
            if (!error_.empty()) return Step::failed;
            if (at_ == end_) return Step::end;
            return take(end_ - at_, 0);
        }
        const char* at = buffer_.data() + at_;
        const void* found = std::memchr(at + searched, '\n', end_ - at_ - searched);
        if (found != nullptr) return take(static_cast<std::size_t>(static_cast<const char*>(found) - at), 1);
    }
}

/// A buffer at a time: such a line may go on for longer than anybody wants to wait.
LineSource::Step LineSource::pass_over_long_line() {
    if (!std::exchange(passing_, true)) ++number_;
    text_ = {};
    const void* found = std::memchr(buffer_.data() + at_, '\n', end_ - at_);
    if (found == nullptr) {
        at_ = end_;
        return Step::passing;
    }
    at_ = static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data()) + 1;
    passing_ = false;
    return Step::too_long;
}

/// Moves the unread bytes to the front and appends what the source has. False at its end.
bool LineSource::refill() {
    if (ended_) return false;
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(at_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
    end_ -= at_;
    at_ = 0;
    if (end_ == buffer_.size()) buffer_.resize(buffer_.size() * 2);
    const Result<std::size_t> count = bytes_.read(std::span(buffer_).subspan(end_));
    if (!count || *count == 0) {
        ended_ = true;
        if (!count) error_ = count.error().message;
        return false;
    }
    end_ += *count;
    may_hold_escapes_ = std::memchr(buffer_.data(), '\\', end_) != nullptr;
    may_hold_nul_ = std::memchr(buffer_.data(), 0, end_) != nullptr;
    return true;
}

} // namespace heddle::text
