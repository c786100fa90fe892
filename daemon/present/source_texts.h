// Texts of source files as one editor has them: what it has open, otherwise what is on disk. Files are only
// ever read.
#pragma once

#include "lsp/position.h"
#include "lsp/text_document.h"

#include <cstdint>
#include <filesystem>
#include <list>
#include <map>
#include <string>

namespace heddle::present {

class SourceTexts {
  public:
    explicit SourceTexts(lsp::PositionEncoding encoding = lsp::PositionEncoding::utf16)
        : encoding_(encoding) {}

    void open(const std::string& path, std::string text, std::int32_t version);
    void close(const std::string& path);
    /// Null when it is not open.
    [[nodiscard]] lsp::TextDocument* find_open(const std::string& path);
    [[nodiscard]] const std::map<std::string, lsp::TextDocument>& open_documents() const { return open_; }

    /// Null when there is no such file, or none that could be a source file. Valid until the next call.
    [[nodiscard]] const lsp::TextDocument* text(const std::string& path);

    [[nodiscard]] lsp::PositionEncoding encoding() const { return encoding_; }

  private:
    struct OnDisk {
        std::string path;
        std::filesystem::file_time_type changed;
        std::uint64_t bytes = 0;
        lsp::TextDocument document;
    };

    lsp::PositionEncoding encoding_;
    std::map<std::string, lsp::TextDocument> open_; ///< by path
    std::list<OnDisk> read_;                        ///< the last few, most recent first
};

} // namespace heddle::present
