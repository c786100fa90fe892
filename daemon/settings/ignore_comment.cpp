#include "daemon/settings/ignore_comment.h"

#include <algorithm>
#include <cstddef>

namespace heddle::settings {

namespace {

constexpr std::string_view kMark = "heddle: ignore";

bool is_letter(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

} // namespace

bool ignores(std::string_view line, FindingKind kind) {
    const std::size_t comment = std::min(line.find("//"), line.find("/*"));
    if (comment == std::string_view::npos) return false;
    const std::size_t mark = line.find(kMark, comment);
    if (mark == std::string_view::npos) return false;
    std::string_view rest = line.substr(mark + kMark.size());
    if (!rest.empty() && is_letter(rest.front())) return false; // "ignored"
    bool named_any = false;
    while (true) {
        const std::size_t first = rest.find_first_not_of(" \t,");
        if (first == std::string_view::npos) break;
        rest.remove_prefix(first);
        std::size_t end = 0;
        while (end < rest.size() && is_letter(rest[end])) ++end;
        const std::string_view word = rest.substr(0, end);
        bool known = false;
        for (const std::string_view name : kFindingKindNames) known = known || word == name;
        if (!known) break; // the rest is for people
        if (word == kFindingKindNames[static_cast<std::size_t>(kind)]) return true;
        named_any = true;
        rest.remove_prefix(end);
    }
    return !named_any;
}

std::string ignore_comment(FindingKind kind) {
    return "// " + std::string(kMark) + " " + std::string(kFindingKindNames[static_cast<std::size_t>(kind)]);
}

} // namespace heddle::settings
