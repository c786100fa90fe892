#include "daemon/report/expression_text.h"

namespace heddle::report {

std::string_view last_word(std::string_view text) {
    const auto is_word = [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
               (letter >= '0' && letter <= '9') || letter == '_' ||
               static_cast<unsigned char>(letter) >= 0x80;
    };
    while (!text.empty() && !is_word(text.back())) text.remove_suffix(1);
    std::size_t begin = text.size();
    while (begin > 0 && is_word(text[begin - 1])) --begin;
    return text.substr(begin);
}

} // namespace heddle::report
