#include "daemon/present/source_texts.h"

#include "daemon/settings/text_file.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <string_view>
#include <system_error>
#include <utility>

namespace heddle::present {

namespace {
constexpr std::size_t kMaxBytes = std::size_t{8} << 20U; ///< of a file somebody wrote
constexpr std::size_t kMaxFiles = 64;
constexpr std::chrono::milliseconds kMoment{50}; ///< for which a file is taken to be as it was

bool is_word(char letter) {
    return letter == '_' || std::isalnum(static_cast<unsigned char>(letter)) != 0;
}

/// The same edit, of as little as is different. Editors that compare texts to find what was edited (Neovim)
/// tell of a line that is put in, or taken out, before one that begins alike as of what stands behind that
/// beginning: "st|d::lock_guard l(mu);\n    st|ock = 0;". That is before the word, then.
source::TextEdit smallest(std::string_view text, std::size_t first, std::size_t end,
                          std::string_view put_in) {
    std::string_view old = text.substr(first, end - first);
    while (!old.empty() && !put_in.empty() && old.back() == put_in.back()) {
        old.remove_suffix(1);
        put_in.remove_suffix(1);
    }
    while (!old.empty() && !put_in.empty() && old.front() == put_in.front()) {
        old.remove_prefix(1);
        put_in.remove_prefix(1);
        ++first;
    }
    std::size_t begin = first;
    const std::string_view piece = old.empty() ? put_in : old;
    const std::size_t behind = first + old.size();
    if ((old.empty() || put_in.empty()) && piece.find('\n') != std::string_view::npos &&
        behind < text.size() && is_word(text[behind])) {
        const auto last = [&] { return piece[piece.size() - 1 - (first - begin) % piece.size()]; };
        while (begin > 0 && is_word(text[begin - 1]) && text[begin - 1] == last()) --begin;
        if (begin > 0 && is_word(text[begin - 1])) begin = first;
    }
    const auto byte = [](std::size_t number) { return static_cast<std::uint32_t>(number); };
    return {byte(begin), byte(begin + old.size()), byte(begin + put_in.size())};
}
} // namespace

void SourceTexts::open(const std::string& path, std::string text, std::int32_t version) {
    open_.insert_or_assign(path,
                           Open{lsp::TextDocument(std::move(text), version, encoding_), new_revision()});
}

void SourceTexts::close(const std::string& path) {
    open_.erase(path);
}

const lsp::TextDocument* SourceTexts::find_open(const std::string& path) const {
    const auto found = open_.find(path);
    return found == open_.end() ? nullptr : &found->second.document;
}

lsp::Result<std::vector<source::TextEdit>>
SourceTexts::edit(const std::string& path, std::span<const lsp::TextDocumentContentChangeEvent> changes,
                  std::int32_t version) {
    std::vector<source::TextEdit> edits;
    const auto found = open_.find(path);
    if (found == open_.end()) return edits;
    lsp::TextDocument& document = found->second.document;
    ++found->second.revision;
    for (const lsp::TextDocumentContentChangeEvent& change : changes) {
        const auto [first, end] =
            change.range
                ? std::minmax({document.byte_at(change.range->start), document.byte_at(change.range->end)})
                : std::pair<std::size_t, std::size_t>{0, document.text().size()};
        const source::TextEdit edit = smallest(document.text(), first, end, change.text);
        if (auto applied = document.apply({&change, 1}, version); !applied)
            return tl::make_unexpected(applied.error());
        edits.push_back(edit);
    }
    return edits;
}

SourceTexts::Current SourceTexts::of(const OnDisk& file) {
    if (!file.document) return {};
    return {&*file.document, file.revision};
}

SourceTexts::Current SourceTexts::current(const std::string& path) {
    if (const auto open = open_.find(path); open != open_.end())
        return {&open->second.document, open->second.revision};
    const auto now = std::chrono::steady_clock::now();
    const auto known = std::ranges::find(read_, path, &OnDisk::path);
    if (known != read_.end() && now - known->looked < kMoment) {
        read_.splice(read_.begin(), read_, known);
        return of(read_.front());
    }
    std::error_code error;
    const auto changed = std::filesystem::last_write_time(path, error);
    if (error) return {};
    const std::uint64_t bytes = std::filesystem::file_size(path, error);
    if (error) return {};
    if (known != read_.end()) {
        if (known->changed == changed && known->bytes == bytes) {
            known->looked = now;
            read_.splice(read_.begin(), read_, known);
            return of(read_.front());
        }
        read_.erase(known);
    }
    // That it is none that could be a source file is remembered as well: many findings may ask for it at
    // once.
    read_.push_front({path, changed, bytes, now, new_revision(), std::nullopt});
    if (read_.size() > kMaxFiles) read_.pop_back();
    if (bytes <= kMaxBytes) {
        if (auto text = settings::read_text_file(path, kMaxBytes); text && *text)
            read_.front().document.emplace(std::move(**text), 0, encoding_);
    }
    return of(read_.front());
}

} // namespace heddle::present
