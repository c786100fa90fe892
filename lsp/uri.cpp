#include "lsp/uri.h"

#include <filesystem>
#include <optional>

#include <fmt/format.h>

namespace heddle::lsp {

namespace {

constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// What RFC 3986 lets stand in a path as it is. It allows more, `:` and `(` among them, which some editors
/// escape and some do not; everybody reads both.
constexpr bool is_plain(char c) {
    return is_letter(c) || is_digit(c) || std::string_view("-._~/").find(c) != std::string_view::npos;
}

std::optional<unsigned> hex_digit(char c) {
    if (is_digit(c)) return static_cast<unsigned>(c - '0');
    if (lower(c) >= 'a' && lower(c) <= 'f') return static_cast<unsigned>(lower(c) - 'a') + 10;
    return std::nullopt;
}

Result<std::string> unescaped(std::string_view text) {
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char byte = text[i];
        if (byte == '%') {
            const auto high = i + 2 < text.size() ? hex_digit(text[i + 1]) : std::nullopt;
            const auto low = i + 2 < text.size() ? hex_digit(text[i + 2]) : std::nullopt;
            if (!high || !low) return fail(fmt::format("a broken escape: {}", text.substr(i, 3)));
            byte = static_cast<char>(*high * 16 + *low);
            i += 2;
        }
        if (byte == '\0') return fail("a zero byte in a path");
        bytes += byte;
    }
    return bytes;
}

std::string lower_case(std::string_view text) {
    std::string result;
    for (const char c : text) result += lower(c);
    return result;
}

} // namespace

std::string uri_scheme(std::string_view uri) {
    const std::size_t colon = uri.find(':');
    if (colon == 0 || colon == std::string_view::npos || !is_letter(uri.front())) return {};
    for (const char c : uri.substr(0, colon)) {
        if (!is_letter(c) && !is_digit(c) && c != '+' && c != '-' && c != '.') return {};
    }
    return lower_case(uri.substr(0, colon));
}

Result<std::string> path_of_uri(std::string_view uri) {
    const std::string scheme = uri_scheme(uri);
    if (scheme.empty()) return fail(fmt::format("no URI: {}", uri));
    if (scheme != "file")
        return fail(fmt::format("no file, but a document of the scheme {}: {}", scheme, uri));
    std::string_view rest = uri.substr(scheme.size() + 1);
    if (rest.starts_with("//")) {
        rest.remove_prefix(2);
        const std::string_view host = rest.substr(0, rest.find('/'));
        if (!host.empty() && lower_case(host) != "localhost")
            return fail(fmt::format("a file of another machine, {}: {}", host, uri));
        rest.remove_prefix(host.size());
    }
    rest = rest.substr(0, rest.find_first_of("?#"));
    auto path = unescaped(rest);
    if (!path) return fail(fmt::format("{} in {}", path.error().message, uri));
    if (!path->starts_with('/')) return fail(fmt::format("no absolute path: {}", uri));
    std::string normal = std::filesystem::path(*path).lexically_normal().string();
    // A folder is the same with a slash behind it, which some editors put there.
    if (normal.size() > 1 && normal.ends_with('/')) normal.pop_back();
    return normal;
}

std::string uri_of_path(std::string_view absolute_path) {
    std::string uri = "file://";
    for (const char c : absolute_path) {
        if (is_plain(c)) {
            uri += c;
        } else {
            uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return uri;
}

} // namespace heddle::lsp
