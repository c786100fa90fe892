#include "analysis/source/lexical.h"

#include <algorithm>
#include <array>
#include <string>

namespace heddle::source {

namespace {

constexpr std::uint32_t kLongestDelimiter = 16; ///< of raw strings, as the language has it
/// The end of one that is not closed is looked for in all of the text: no text needs that often.
constexpr int kMostOpenRawStrings = 8;
/// Longer numbers and wider lines are not told from ones of this size.
constexpr std::uint32_t kFarBack = 256;

} // namespace

std::uint32_t Lexical::after_word(std::uint32_t at) const {
    while (at < text_.size() && continues_word(text_[at])) ++at;
    return at;
}

std::uint32_t Lexical::after_line(std::uint32_t at) const {
    for (;;) {
        const std::size_t end = text_.find('\n', at);
        if (end == std::string_view::npos) return static_cast<std::uint32_t>(text_.size());
        const std::size_t last = end > at && text_[end - 1] == '\r' ? end - 1 : end;
        at = static_cast<std::uint32_t>(end + 1);
        if (last == 0 || text_[last - 1] != '\\') return at;
    }
}

std::uint32_t Lexical::after_comment(std::uint32_t at) {
    if (at + 1 >= text_.size() || text_[at] != '/') return at;
    if (text_[at + 1] == '*') {
        // What was looked through for an end is not looked through again.
        const std::size_t found =
            text_.substr(0, std::min(text_.size(), no_comment_end_ + 3)).find("*/", at + 2);
        if (found != std::string_view::npos) return static_cast<std::uint32_t>(found + 2);
        no_comment_end_ = std::min<std::size_t>(no_comment_end_, at);
        in_vain_ = true;
        return at;
    }
    if (text_[at + 1] != '/') return at;
    const std::uint32_t end = after_line(at);
    return text_[end - 1] == '\n' ? end - 1 : end;
}

std::uint32_t Lexical::after_literal(std::uint32_t at) {
    const char quote = text_[at];
    if (quote == '\'' && at > 0 && continues_word(text_[at - 1]) && is_digit(text_[word_before(at)]))
        return at + 1;
    if (quote == '"' && opens_raw_string(at)) return after_raw_string(at);
    for (std::uint32_t i = at + 1; i < text_.size(); ++i) {
        if (text_[i] == quote) return i + 1;
        if (text_[i] == '\n') return i;
        if (text_[i] == '\\') ++i;
    }
    return static_cast<std::uint32_t>(text_.size());
}

std::string_view Lexical::directive(std::uint32_t at) const {
    ++at;
    while (at < text_.size() && is_blank(text_[at])) ++at;
    return text_.substr(at, after_word(at) - at);
}

std::uint32_t Lexical::after_directive(std::uint32_t at) {
    const auto at_is = [&](std::uint32_t byte, char letter) {
        return byte < text_.size() && text_[byte] == letter;
    };
    while (at < text_.size()) {
        switch (text_[at]) {
        case '\n': return at + 1;
        case '\\': at = at_is(at + 1, '\r') && at_is(at + 2, '\n') ? at + 3 : at + 2; break;
        case '"': at = after_literal(at); break;
        case '\'': at += at_is(at + 2, '\'') ? 3U : 1U; break; // or an apostrophe: `#error that can't be`
        default: at = std::max(after_comment(at), at + 1);
        }
    }
    return static_cast<std::uint32_t>(text_.size());
}

bool Lexical::first_in_line(std::uint32_t at) const {
    while (at > 0 && is_blank(text_[at - 1])) --at;
    return at == 0 || text_[at - 1] == '\n';
}

std::uint32_t Lexical::column(std::uint32_t at) const {
    std::uint32_t begin = at;
    while (begin > 0 && at - begin < kFarBack && text_[begin - 1] != '\n') --begin;
    return at - begin;
}

/// Where the word or number begins that ends before `at`.
std::uint32_t Lexical::word_before(std::uint32_t at) const {
    const std::uint32_t far = at - std::min(at, kFarBack);
    while (at > far && (continues_word(text_[at - 1]) || text_[at - 1] == '\'')) --at;
    return at;
}

bool Lexical::opens_raw_string(std::uint32_t quote) const {
    static constexpr std::array<std::string_view, 5> kPrefixes = {"R", "LR", "uR", "UR", "u8R"};
    if (language_ != Language::cpp || quote == 0 || text_[quote - 1] != 'R') return false;
    const std::uint32_t first = word_before(quote);
    return std::ranges::find(kPrefixes, text_.substr(first, quote - first)) != kPrefixes.end();
}

/// Behind R"x( … )x"; the quote alone if it is not closed.
std::uint32_t Lexical::after_raw_string(std::uint32_t quote) {
    const std::size_t open = text_.substr(0, quote + kLongestDelimiter + 2).find('(', quote);
    if (open == std::string_view::npos) return quote + 1;
    if (open_raw_strings_ == kMostOpenRawStrings) {
        in_vain_ = true;
        return quote + 1;
    }
    std::string end = ")";
    end += text_.substr(quote + 1, open - quote - 1);
    end += '"';
    const std::size_t closed = text_.find(end, open);
    if (closed != std::string_view::npos) return static_cast<std::uint32_t>(closed + end.size());
    ++open_raw_strings_;
    in_vain_ = true;
    return quote + 1;
}

} // namespace heddle::source
