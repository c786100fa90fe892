#include "lsp/framing.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace heddle::lsp {

namespace {

constexpr std::string_view kEndOfHeader = "\r\n\r\n";
constexpr std::string_view kLengthName = "Content-Length";
constexpr std::string_view kTypeName = "Content-Type";
/// Longest `Content-Length:` line that the search for a header takes for one.
constexpr std::size_t kPlausibleLine = 64;

// The C library's versions of these depend on the locale.
constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_blank(char c) {
    return c == ' ' || c == '\t';
}
constexpr char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr bool is_name_char(char c) {
    return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, lower, lower);
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// The text up to the separator, which is taken off the rest with it; all of it if there is none.
std::string_view take_until(std::string_view& rest, std::string_view separator) {
    const std::size_t end = rest.find(separator);
    const std::string_view taken = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + separator.size());
    return taken;
}

/// For messages: short, and printable whatever the bytes are.
std::string quoted(std::string_view bytes) {
    constexpr std::size_t kShown = 40;
    std::string text = "\"";
    for (const char c : bytes.substr(0, kShown)) {
        if (c >= ' ' && c <= '~') {
            text += c;
        } else {
            text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        }
    }
    text += bytes.size() > kShown ? "…\"" : "\"";
    return text;
}

struct HeaderError {
    std::string message;
    bool search_block = false; ///< a good header may start inside the block
};

using Parsed = tl::expected<void, HeaderError>;

tl::unexpected<HeaderError> contradiction(std::string message) {
    return tl::make_unexpected(HeaderError{.message = std::move(message)});
}

Parsed parse_length(std::string_view value, std::size_t limit, std::optional<std::size_t>& length) {
    if (length) return contradiction("header with more than one Content-Length");
    if (value.empty() || !std::ranges::all_of(value, is_digit))
        return contradiction(fmt::format("Content-Length is not a number of bytes: {}", quoted(value)));
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || number > limit) {
        return contradiction(fmt::format("Content-Length is {} bytes, more than the {} that are accepted",
                                         value.substr(0, 20), limit));
    }
    length = static_cast<std::size_t>(number);
    return {};
}

Parsed check_type(std::string_view value) {
    take_until(value, ";");
    while (!value.empty()) {
        std::string_view parameter = take_until(value, ";");
        if (!same_ignoring_case(trimmed(take_until(parameter, "=")), "charset")) continue;
        std::string_view charset = trimmed(parameter);
        if (charset.size() >= 2 && charset.front() == '"' && charset.back() == '"')
            charset = charset.substr(1, charset.size() - 2);
        if (!same_ignoring_case(charset, "utf-8") && !same_ignoring_case(charset, "utf8"))
            return contradiction(fmt::format("charset {} is not supported, only utf-8", quoted(charset)));
    }
    return {};
}

Parsed parse_line(std::string_view line, std::size_t max_body_bytes, std::optional<std::size_t>& length) {
    std::string_view value = line;
    const std::string_view name = take_until(value, ":");
    if (name.empty() || name.size() == line.size() || !std::ranges::all_of(name, is_name_char) ||
        value.find_first_of("\r\n") != std::string_view::npos) {
        return tl::make_unexpected(
            HeaderError{.message = fmt::format("not a header line: {}", quoted(line)), .search_block = true});
    }
    if (same_ignoring_case(name, kLengthName)) return parse_length(trimmed(value), max_body_bytes, length);
    if (same_ignoring_case(name, kTypeName)) return check_type(value);
    return {};
}

/// The length that a header block, without the empty line that ends it, announces.
tl::expected<std::size_t, HeaderError> parse_header(std::string_view block, std::size_t max_body_bytes) {
    std::optional<std::size_t> length;
    while (!block.empty()) {
        const Parsed parsed = parse_line(take_until(block, "\r\n"), max_body_bytes, length);
        if (!parsed) return tl::make_unexpected(parsed.error());
    }
    if (!length) return contradiction("header without a Content-Length");
    return *length;
}

enum class Match : std::uint8_t { no, yes, more_needed };

/// Whether the text begins with a `Content-Length: <digits>\r\n`.
Match match_length_line(std::string_view text) {
    const std::size_t known = std::min(text.size(), kLengthName.size());
    if (!same_ignoring_case(text.substr(0, known), kLengthName.substr(0, known))) return Match::no;
    std::string_view rest = text.substr(known, kPlausibleLine);
    const bool whole = rest.size() == kPlausibleLine;
    const auto take = [&rest](auto&& wanted) {
        std::size_t count = 0;
        while (count < rest.size() && wanted(rest[count])) ++count;
        rest.remove_prefix(count);
        return count;
    };
    if (rest.empty()) return Match::more_needed;
    if (rest.front() != ':') return Match::no;
    rest.remove_prefix(1);
    take(is_blank);
    const std::size_t digits = take(is_digit);
    if (rest.empty()) return whole ? Match::no : Match::more_needed;
    if (digits == 0) return Match::no;
    take(is_blank);
    if (rest.starts_with("\r\n")) return Match::yes;
    return !whole && std::string_view("\r\n").starts_with(rest) ? Match::more_needed : Match::no;
}

} // namespace

void FrameReader::feed(std::string_view bytes) {
    buffer_.erase(0, consumed_);
    consumed_ = 0;
    buffer_.append(bytes);
}

std::optional<FrameReader::Frame> FrameReader::next() {
    if (state_ == State::lost && !find_header()) return std::nullopt;
    if (state_ == State::header) {
        if (auto error = read_header()) return error;
    }
    return state_ == State::body ? read_body() : std::nullopt;
}

std::optional<FramingError> FrameReader::finish() const {
    if (state_ == State::header && !pending().empty())
        return FramingError{fmt::format("the stream ended inside a header: {}", quoted(pending()))};
    if (state_ == State::body) {
        return FramingError{fmt::format("the stream ended inside a message: {} of {} bytes arrived",
                                        body_.size() + pending().size(), body_size_)};
    }
    return std::nullopt;
}

void FrameReader::skip(std::size_t bytes) {
    consumed_ += bytes;
    skipped_bytes_ += bytes;
}

bool FrameReader::find_header() {
    const std::string_view text = pending();
    // The first byte is the one before the first place to look at: it tells whether a name goes on.
    for (std::size_t at = 1; at < text.size(); ++at) {
        if (lower(text[at]) != 'c' || is_name_char(text[at - 1])) continue;
        const Match match = match_length_line(text.substr(at));
        if (match == Match::no) continue;
        if (match == Match::more_needed) {
            skip(at - 1);
            return false;
        }
        skip(at);
        state_ = State::header;
        return true;
    }
    if (!text.empty()) skip(text.size() - 1);
    return false;
}

std::optional<FrameReader::Frame> FrameReader::read_header() {
    const std::string_view text = pending().substr(0, limits_.max_header_bytes);
    const bool empty_block = text.starts_with("\r\n");
    const std::size_t end = empty_block ? 0 : text.find(kEndOfHeader, searched_);
    if (end == std::string_view::npos) {
        if (text.size() == limits_.max_header_bytes) {
            searched_ = 0;
            state_ = State::lost;
            return tl::make_unexpected(FramingError{
                fmt::format("header longer than {} bytes: {}", limits_.max_header_bytes, quoted(text))});
        }
        searched_ = text.size() - std::min(text.size(), kEndOfHeader.size() - 1);
        return std::nullopt;
    }
    searched_ = 0;
    const std::size_t size = end + (empty_block ? 2 : kEndOfHeader.size());
    const auto length = parse_header(text.substr(0, end), limits_.max_body_bytes);
    if (!length) {
        state_ = State::lost;
        // The last byte stays, as the one before the first place where the search looks.
        if (!length.error().search_block) skip(size - 1);
        return tl::make_unexpected(FramingError{length.error().message});
    }
    consumed_ += size;
    body_size_ = *length;
    state_ = State::body;
    return std::nullopt;
}

std::optional<FrameReader::Frame> FrameReader::read_body() {
    const std::string_view arrived = pending().substr(0, body_size_ - body_.size());
    body_.append(arrived);
    consumed_ += arrived.size();
    if (body_.size() < body_size_) return std::nullopt;
    state_ = State::header;
    return std::exchange(body_, {});
}

std::string frame(std::string_view body) {
    return fmt::format("{}: {}\r\n\r\n{}", kLengthName, body.size(), body);
}

} // namespace heddle::lsp
