#include "analysis/source/grammar.h"

#include <algorithm>
#include <array>
#include <cstddef>

extern "C" {
const TSLanguage* tree_sitter_c();
const TSLanguage* tree_sitter_cpp();
}

namespace heddle {

namespace {

constexpr std::array<std::string_view, 16> kCppExtensions = {
    "cpp", "cc", "cxx", "c++", "C", "h", "hpp", "hh", "hxx", "h++", "H", "ipp", "tpp", "inl", "ixx", "cppm"};

} // namespace

const TSLanguage* grammar(Language language) {
    switch (language) {
    case Language::c: return tree_sitter_c();
    case Language::cpp: return tree_sitter_cpp();
    }
    return nullptr;
}

std::optional<Language> language_of(std::string_view path) {
    const std::string_view name = path.substr(path.find_last_of('/') + 1);
    const std::size_t dot = name.find_last_of('.');
    if (dot == std::string_view::npos || dot == 0) return std::nullopt;
    const std::string_view extension = name.substr(dot + 1);
    if (extension == "c") return Language::c;
    if (std::ranges::find(kCppExtensions, extension) != kCppExtensions.end()) return Language::cpp;
    return std::nullopt;
}

} // namespace heddle
