#include "analysis/source/place_map.h"

#include "analysis/source/accessed.h"
#include "analysis/source/lock_expressions.h"
#include "analysis/source/pointed_at.h"

#include <algorithm>

namespace heddle::source {

namespace {

constexpr std::size_t kMaxName = 60; ///< what is longer is no name in a sentence

bool is_space(char letter) {
    return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n' || letter == '\f' ||
           letter == '\v';
}

bool holds_declarations(const Node& node) {
    return node.is("translation_unit") || node.is("namespace_definition") || node.is("declaration_list") ||
           node.is("linkage_specification");
}

} // namespace

PlaceMap::PlaceMap(const SyntaxTree& tree) : tree_(tree) {
    const std::string& text = tree.text();
    lines_.push_back(0);
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
        lines_.push_back(static_cast<std::uint32_t>(at + 1));
    std::vector<Node> open{tree.root()};
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        if (holds_declarations(node)) {
            for (const Node& child : node.children()) open.push_back(child);
        } else {
            tops_.push_back({node.range(), node});
        }
    }
    std::ranges::sort(tops_, {}, [](const Top& top) { return top.range.first; });
    find_constants();
}

void PlaceMap::find_constants() {
    constexpr std::string_view kEnum = "enum";
    const std::string& text = tree_.text();
    for (std::size_t at = text.find(kEnum); at != std::string::npos; at = text.find(kEnum, at + 1)) {
        const std::vector<Node> path = path_to(static_cast<std::uint32_t>(at));
        if (path.size() < 2 || !path.back().is(kEnum) || !path[path.size() - 2].is("enum_specifier"))
            continue;
        const Node& type = path[path.size() - 2];
        const std::vector<Node> words = type.children();
        if (words.size() > 1 && (words[1].is("class") || words[1].is("struct"))) continue;
        for (const Node& one : type.field("body").named_children()) {
            if (one.is("enumerator")) constants_.insert(tree_.text(one.field("name")));
        }
    }
}

std::optional<std::uint32_t> PlaceMap::byte_of(const Place& place) const {
    if (place.line == 0 || place.line > lines_.size()) return std::nullopt;
    const std::string& text = tree_.text();
    const std::uint32_t begin = lines_[place.line - 1];
    const auto end =
        place.line < lines_.size() ? lines_[place.line] : static_cast<std::uint32_t>(text.size());
    std::uint32_t byte = begin;
    if (place.column != 0) {
        if (place.column > end - begin) return std::nullopt;
        byte += place.column - 1;
    } else {
        while (byte < end && is_space(text[byte])) ++byte;
    }
    if (byte >= end || is_space(text[byte])) return std::nullopt;
    return byte;
}

std::vector<Node> PlaceMap::path_to(std::uint32_t byte) const {
    const auto after =
        std::ranges::upper_bound(tops_, byte, {}, [](const Top& top) { return top.range.first; });
    if (after == tops_.begin() || !std::prev(after)->range.contains(byte)) return {};
    std::vector<Node> path{std::prev(after)->node};
    const std::vector<Node> below = SyntaxTree::path_to(byte, path.front());
    path.insert(path.end(), below.begin(), below.end());
    return path;
}

std::optional<Expression> PlaceMap::locate(const Place& place) const {
    const auto byte = byte_of(place);
    if (!byte) return std::nullopt;
    const std::vector<Node> path = path_to(*byte);
    const std::vector<Node> pointed = pointed_at(path);
    if (pointed.empty()) return std::nullopt;
    if (!is_access(place.operation)) return synchronised(tree_, pointed, place);
    return accessed(tree_, path, pointed, constants_, place);
}

std::optional<ByteRange> PlaceMap::line_at(std::uint32_t line) const {
    if (line == 0 || line > lines_.size()) return std::nullopt;
    const auto size = static_cast<std::uint32_t>(tree_.text().size());
    return ByteRange{lines_[line - 1], line < lines_.size() ? lines_[line] : size};
}

PlaceMap::Position PlaceMap::position_of(std::uint32_t byte) const {
    const auto after = std::ranges::upper_bound(lines_, byte);
    return {.line = static_cast<std::uint32_t>(after - lines_.begin()),
            .column = byte - *std::prev(after) + 1};
}

std::optional<std::string> PlaceMap::name_of(const Expression& expression) const {
    if (!expression.exact) return std::nullopt;
    std::string name;
    for (const char letter : tree_.text(expression.range)) {
        if (!is_space(letter)) {
            name += letter;
        } else if (!name.empty() && name.back() != ' ') {
            name += ' ';
        }
    }
    if (name.empty() || name.size() > kMaxName) return std::nullopt;
    return name;
}

} // namespace heddle::source
