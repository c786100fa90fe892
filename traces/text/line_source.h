// The lines of a source of bytes, one at a time, as views of one buffer.
#pragma once

#include "traces/io/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::text {

class LineSource {
  public:
    enum class Step {
        line,     ///< text() is the next line, without its end
        too_long, ///< the next line is over the limit and was passed over
        passing,  ///< a part of such a line was passed over: it has no end yet
        end,
        failed, ///< error(); the piece of a line before the damage is not given out
    };

    LineSource(ByteSource& bytes, std::size_t max_line_bytes);

    Step next() {
        const char* at = buffer_.data() + at_;
        const void* found = std::memchr(at, '\n', end_ - at_);
        if (found == nullptr) return next_after_refill();
        return take(static_cast<std::size_t>(static_cast<const char*>(found) - at), 1);
    }

    /// Valid until the next call of next().
    [[nodiscard]] std::string_view text() const { return text_; }
    [[nodiscard]] std::uint64_t number() const { return number_; }
    /// False: the line surely holds no backslash and no NUL. Told of whole buffers, so it costs nothing.
    [[nodiscard]] bool may_hold_escapes() const { return may_hold_escapes_; }
    [[nodiscard]] bool may_hold_nul() const { return may_hold_nul_; }
    [[nodiscard]] const std::string& error() const { return error_; }

  private:
    Step next_after_refill();
    Step pass_over_long_line();
    [[nodiscard]] bool refill();

    Step take(std::size_t length, std::size_t line_end) {
        text_ = {buffer_.data() + at_, length};
        at_ += length + line_end;
        ++number_;
        return length <= max_line_bytes_ ? Step::line : Step::too_long;
    }

    ByteSource& bytes_;
    std::size_t max_line_bytes_;
    std::vector<char> buffer_;
    std::size_t at_ = 0;
    std::size_t end_ = 0;
    bool ended_ = false;
    bool passing_ = false; ///< within a line that is over the limit
    bool may_hold_escapes_ = false;
    bool may_hold_nul_ = false;
    std::string_view text_;
    std::uint64_t number_ = 0;
    std::string error_;
};

} // namespace heddle::text
