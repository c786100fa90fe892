#include "analysis/source/member_path.h"

#include <cstddef>

namespace heddle::source {

namespace {

bool is_word(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '_' || static_cast<unsigned char>(letter) >= 0x80;
}

} // namespace

MemberPath member_path(std::string_view expression) {
    int depth = 0;
    for (std::size_t i = expression.size(); i-- > 0;) {
        const char letter = expression[i];
        if (letter == ')' || letter == ']') ++depth;
        if (letter == '(' || letter == '[') --depth;
        const bool arrow = letter == '>' && i > 0 && expression[i - 1] == '-';
        if (depth == 0 && (letter == '.' || arrow))
            return {expression.substr(0, i + 1), expression.substr(i + 1)};
    }
    return {{}, expression};
}

std::string_view first_name(std::string_view expression) {
    std::size_t end = 0;
    while (end < expression.size() && is_word(expression[end])) ++end;
    return expression.substr(0, end);
}

bool has_name(std::string_view text, std::string_view name) {
    if (name.empty()) return false;
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const bool begins = at == 0 || !is_word(text[at - 1]);
        const std::size_t end = at + name.size();
        if (begins && (end == text.size() || !is_word(text[end]))) return true;
    }
    return false;
}

} // namespace heddle::source
