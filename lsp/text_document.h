// A document as the editor has it, kept current by textDocument/didChange.
//
// Positions are clamped as LSP demands: a column past the end of a line is its end; a line past the end is
// the end of the text. A range whose end is before its start is taken the other way round. An edit of a
// document of 20,000 lines takes well below a millisecond.
#pragma once

#include "lsp/line_index.h"
#include "lsp/position.h"
#include "lsp/protocol/basic.h"
#include "lsp/protocol/text_sync.h"
#include "lsp/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace heddle::lsp {

class TextDocument {
  public:
    static constexpr std::size_t kMaxBytes = std::size_t{256} << 20U;

    TextDocument(std::string text, std::int32_t version, PositionEncoding encoding);

    /// The changes of one didChange, in order, and the version the client says they lead to. Fails when the
    /// text would become larger than kMaxBytes: the changes before that one stay, and in_sync() is false
    /// until the client sends the whole text again.
    [[nodiscard]] Result<void> apply(std::span<const TextDocumentContentChangeEvent> changes,
                                     std::int32_t version);

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] std::int32_t version() const { return version_; }
    [[nodiscard]] PositionEncoding encoding() const { return encoding_; }
    [[nodiscard]] bool in_sync() const { return in_sync_; }

    [[nodiscard]] std::size_t line_count() const { return lines_.line_count(); }
    /// Without its line end; empty past the end.
    [[nodiscard]] std::string_view line(std::size_t number) const;
    /// Of a byte within the text; see LineIndex.
    [[nodiscard]] std::size_t line_of(std::size_t byte) const { return lines_.line_of(byte); }
    [[nodiscard]] std::size_t start_of(std::size_t line) const { return lines_.start_of(line); }

    [[nodiscard]] std::size_t byte_at(Position position) const;
    /// A byte past the end is the end.
    [[nodiscard]] Position position_of(std::size_t byte) const;
    [[nodiscard]] Range range_of(std::size_t first_byte, std::size_t end_byte) const;

  private:
    void replace(std::size_t first, std::size_t end, std::string_view with);

    std::string text_;
    LineIndex lines_;
    std::int32_t version_ = 0;
    PositionEncoding encoding_;
    bool in_sync_ = true;
};

} // namespace heddle::lsp
