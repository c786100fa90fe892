#include "daemon/present/source_texts.h"

#include "daemon/settings/text_file.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace heddle::present {

namespace {
constexpr std::size_t kMaxBytes = std::size_t{8} << 20U; ///< of a file somebody wrote
constexpr std::size_t kMaxFiles = 16;
} // namespace

void SourceTexts::open(const std::string& path, std::string text, std::int32_t version) {
    open_.insert_or_assign(path, lsp::TextDocument(std::move(text), version, encoding_));
}

void SourceTexts::close(const std::string& path) {
    open_.erase(path);
}

lsp::TextDocument* SourceTexts::find_open(const std::string& path) {
    const auto found = open_.find(path);
    return found == open_.end() ? nullptr : &found->second;
}

const lsp::TextDocument* SourceTexts::text(const std::string& path) {
    if (const lsp::TextDocument* document = find_open(path)) return document;
    std::error_code error;
    const auto changed = std::filesystem::last_write_time(path, error);
    if (error) return nullptr;
    const std::uint64_t bytes = std::filesystem::file_size(path, error);
    if (error) return nullptr;
    const auto known = std::ranges::find(read_, path, &OnDisk::path);
    if (known != read_.end()) {
        if (known->changed == changed && known->bytes == bytes) {
            read_.splice(read_.begin(), read_, known);
            return &read_.front().document;
        }
        read_.erase(known);
    }
    auto text = settings::read_text_file(path, kMaxBytes);
    if (!text || !*text) return nullptr;
    read_.push_front({path, changed, bytes, lsp::TextDocument(std::move(**text), 0, encoding_)});
    if (read_.size() > kMaxFiles) read_.pop_back();
    return &read_.front().document;
}

} // namespace heddle::present
