// Where written bytes go: a file that appears whole or not at all, or memory.
//
// FileSink writes to a temporary file beside the target; finish() gives it the target's name. A sink that
// is dropped unfinished leaves the target as it was and no temporary behind.
#pragma once

#include "traces/result.h"

#include <string>
#include <string_view>

namespace heddle {

class ByteSink {
  public:
    ByteSink() = default;
    ByteSink(const ByteSink&) = delete;
    ByteSink& operator=(const ByteSink&) = delete;
    ByteSink(ByteSink&&) = delete;
    ByteSink& operator=(ByteSink&&) = delete;
    virtual ~ByteSink() = default;

    /// Takes all of `bytes` or fails. Not buffered: callers hand over large pieces.
    [[nodiscard]] virtual Result<void> write(std::string_view bytes) = 0;
};

class MemorySink final : public ByteSink {
  public:
    Result<void> write(std::string_view bytes) override {
        bytes_ += bytes;
        return {};
    }
    [[nodiscard]] const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

class FileSink final : public ByteSink {
  public:
    /// Nothing is opened before the first write() or finish(), which tell what went wrong.
    explicit FileSink(std::string path) : path_(std::move(path)) {}
    ~FileSink() override;
    FileSink(const FileSink&) = delete;
    FileSink& operator=(const FileSink&) = delete;
    FileSink(FileSink&&) = delete;
    FileSink& operator=(FileSink&&) = delete;

    Result<void> write(std::string_view bytes) override;
    /// Puts the file in its place. Nothing may be written afterwards.
    [[nodiscard]] Result<void> finish();

  private:
    [[nodiscard]] Result<void> open();
    [[nodiscard]] Result<void> failed(std::string_view doing) const;

    std::string path_;
    std::string temporary_;
    int descriptor_ = -1;
};

} // namespace heddle
