#include "daemon/report/display_width.h"

#include <clocale>
#include <cwchar>

#include <sys/ioctl.h>
#include <unistd.h>

namespace heddle::report {

namespace {

/// The C library knows the width of every letter, but only in a locale that has it. Made once, and never
/// freed: making one takes longer than all that is done with it.
locale_t utf8_locale() {
    static const locale_t made = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return made;
}

/// This thread has that locale meanwhile.
class Utf8Locale {
  public:
    Utf8Locale() {
        if (utf8_locale() != nullptr) before_ = uselocale(utf8_locale());
    }
    ~Utf8Locale() {
        if (before_ != nullptr) uselocale(before_);
    }
    Utf8Locale(const Utf8Locale&) = delete;
    Utf8Locale& operator=(const Utf8Locale&) = delete;
    Utf8Locale(Utf8Locale&&) = delete;
    Utf8Locale& operator=(Utf8Locale&&) = delete;

  private:
    locale_t before_ = nullptr;
};

struct Letter {
    std::size_t bytes = 1;
    std::size_t columns = 1;
};

/// The first letter of a text that is not empty.
Letter first_letter(std::string_view text) {
    wchar_t letter = 0;
    std::mbstate_t state{};
    const std::size_t bytes = std::mbrtowc(&letter, text.data(), text.size(), &state);
    if (bytes == 0 || bytes > text.size()) return {}; // a zero byte, or no UTF-8
    const int columns = ::wcwidth(letter);
    return {bytes, columns < 0 ? 1U : static_cast<std::size_t>(columns)};
}

bool is_ascii(std::string_view text) {
    for (const char letter : text) {
        if (static_cast<unsigned char>(letter) >= 0x80) return false;
    }
    return true;
}

/// How many bytes from the beginning fit.
std::size_t fitting_bytes(std::string_view text, std::size_t columns) {
    const Utf8Locale locale;
    std::size_t at = 0;
    std::size_t width = 0;
    while (at < text.size()) {
        const Letter letter = first_letter(text.substr(at));
        if (width + letter.columns > columns) break;
        width += letter.columns;
        at += letter.bytes;
    }
    return at;
}

} // namespace

std::size_t display_width(std::string_view text) {
    if (is_ascii(text)) return text.size();
    const Utf8Locale locale;
    std::size_t width = 0;
    while (!text.empty()) {
        const Letter letter = first_letter(text);
        width += letter.columns;
        text.remove_prefix(letter.bytes);
    }
    return width;
}

std::string cut_to_width(std::string_view text, std::size_t columns) {
    if (display_width(text) <= columns) return std::string(text);
    return std::string(text.substr(0, fitting_bytes(text, columns - 1))) + "…";
}

std::string padded(std::string_view text, std::size_t columns) {
    std::string result(text);
    const std::size_t width = display_width(text);
    if (width < columns) result.append(columns - width, ' ');
    return result;
}

std::size_t output_width() {
    winsize size{};
    if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
        return kNoTerminalWidth;
    }
    return size.ws_col;
}

} // namespace heddle::report
