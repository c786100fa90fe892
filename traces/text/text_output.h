// Collects text and hands it to a sink in large pieces. After the sink failed, the rest is dropped.
#pragma once

#include "traces/io/file_sink.h"

#include <string>

namespace heddle::text {

class TextOutput {
  public:
    explicit TextOutput(ByteSink& sink) : sink_(sink) { buffer_.reserve(kPiece + kPiece / 4); }

    /// Append to this; call line_done() after each line.
    [[nodiscard]] std::string& buffer() { return buffer_; }
    void line_done() {
        buffer_ += '\n';
        if (buffer_.size() >= kPiece) flush();
    }
    [[nodiscard]] bool ok() const { return result_.has_value(); }
    [[nodiscard]] Result<void> finish() {
        flush();
        return result_;
    }

  private:
    static constexpr std::size_t kPiece = std::size_t{256} << 10U;

    void flush() {
        if (result_ && !buffer_.empty()) result_ = sink_.write(buffer_);
        buffer_.clear();
    }

    ByteSink& sink_;
    std::string buffer_;
    Result<void> result_;
};

} // namespace heddle::text
