// Texts of source files as one editor has them: what it has open, otherwise what is on disk. Files are only
// ever read.
#pragma once

#include "analysis/source/syntax_tree.h"
#include "lsp/position.h"
#include "lsp/text_document.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::present {

class SourceTexts {
  public:
    explicit SourceTexts(lsp::PositionEncoding encoding = lsp::PositionEncoding::utf16)
        : encoding_(encoding) {}

    void open(const std::string& path, std::string text, std::int32_t version);
    void close(const std::string& path);
    /// The changes of one didChange to a file that is open, as edits of its bytes, in order. Fails as
    /// TextDocument::apply does.
    [[nodiscard]] lsp::Result<std::vector<source::TextEdit>>
    edit(const std::string& path, std::span<const lsp::TextDocumentContentChangeEvent> changes,
         std::int32_t version);
    /// Null when it is not open.
    [[nodiscard]] const lsp::TextDocument* find_open(const std::string& path) const;

    /// A text, and a number that no other text of the file has had; an edit makes it one more.
    struct Current {
        const lsp::TextDocument* document = nullptr;
        std::uint64_t revision = 0;
    };
    /// Null when there is no such file, or none that could be a source file. Valid until the next call.
    [[nodiscard]] Current current(const std::string& path);
    [[nodiscard]] const lsp::TextDocument* text(const std::string& path) { return current(path).document; }

    [[nodiscard]] lsp::PositionEncoding encoding() const { return encoding_; }

  private:
    struct OnDisk {
        std::string path;
        std::filesystem::file_time_type changed;
        std::uint64_t bytes = 0;
        std::chrono::steady_clock::time_point looked; ///< at the file
        std::uint64_t revision = 0;
        std::optional<lsp::TextDocument> document; ///< none: it is too large, or no file
    };
    struct Open {
        lsp::TextDocument document;
        std::uint64_t revision = 0;
    };
    [[nodiscard]] static Current of(const OnDisk& file);
    /// Far enough apart that edits, which count up by one, never meet.
    [[nodiscard]] std::uint64_t new_revision() { return revisions_ += std::uint64_t{1} << 32U; }

    lsp::PositionEncoding encoding_;
    std::uint64_t revisions_ = 0;
    std::map<std::string, Open> open_; ///< by path
    std::list<OnDisk> read_;           ///< the last few, most recent first
};

} // namespace heddle::present
