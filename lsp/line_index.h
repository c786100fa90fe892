// Where the lines of a text begin. Line ends are \n, \r\n and \r, as LSP has them; a text has one line more
// than line ends. An edit looks at the bytes of the lines it touches, and adds to the numbers behind them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace heddle::lsp {

class LineIndex {
  public:
    LineIndex() : starts_{0} {}
    explicit LineIndex(std::string_view text);

    [[nodiscard]] std::size_t line_count() const { return starts_.size(); }
    /// The line a byte is in; a line end belongs to the line that it ends. O(log lines).
    [[nodiscard]] std::size_t line_of(std::size_t byte) const;
    [[nodiscard]] std::size_t start_of(std::size_t line) const { return starts_[line]; }
    /// The line's text, without its line end.
    [[nodiscard]] std::string_view line(std::string_view text, std::size_t line) const;

    /// In the text, `removed` bytes at `byte` became `inserted` others; `text` is what it is now.
    void edited(std::string_view text, std::size_t byte, std::size_t removed, std::size_t inserted);

    bool operator==(const LineIndex&) const = default;

  private:
    std::vector<std::uint32_t> starts_;
};

} // namespace heddle::lsp
