#include "lsp/text_document.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace heddle::lsp {

TextDocument::TextDocument(std::string text, std::int32_t version, PositionEncoding encoding)
    : text_(std::move(text)), lines_(text_), version_(version), encoding_(encoding) {}

Result<void> TextDocument::apply(std::span<const TextDocumentContentChangeEvent> changes,
                                 std::int32_t version) {
    version_ = version;
    for (const TextDocumentContentChangeEvent& change : changes) {
        const auto [first, end] =
            change.range ? std::minmax({byte_at(change.range->start), byte_at(change.range->end)})
                         : std::pair<std::size_t, std::size_t>{0, text_.size()};
        const std::size_t size = text_.size() - (end - first) + change.text.size();
        if (size > kMaxBytes) {
            in_sync_ = false;
            return fail(
                fmt::format("a document of {} bytes, more than the {} that are kept", size, kMaxBytes));
        }
        if (!change.range) in_sync_ = true;
        replace(first, end, change.text);
    }
    return {};
}

void TextDocument::replace(std::size_t first, std::size_t end, std::string_view with) {
    text_.replace(first, end - first, with);
    lines_.edited(text_, first, end - first, with.size());
}

std::string_view TextDocument::line(std::size_t number) const {
    return number < line_count() ? lines_.line(text_, number) : std::string_view();
}

std::size_t TextDocument::byte_at(Position position) const {
    if (position.line >= line_count()) return text_.size();
    return lines_.start_of(position.line) +
           byte_of_column(line(position.line), position.character, encoding_);
}

Position TextDocument::position_of(std::size_t byte) const {
    const std::size_t number = lines_.line_of(std::min(byte, text_.size()));
    const std::string_view text = line(number);
    // Inside of a line end is its beginning: it has no columns.
    const std::size_t inside = std::min(std::min(byte, text_.size()) - lines_.start_of(number), text.size());
    return {.line = static_cast<std::uint32_t>(number), .character = column_of_byte(text, inside, encoding_)};
}

Range TextDocument::range_of(std::size_t first_byte, std::size_t end_byte) const {
    return {.start = position_of(first_byte), .end = position_of(end_byte)};
}

} // namespace heddle::lsp
