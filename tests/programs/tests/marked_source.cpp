#include "marked_source.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

namespace heddle::test {

namespace {

constexpr std::string_view kComment = "//";
constexpr std::string_view kContinued = "//     ";
constexpr std::array<std::string_view, 5> kStatements = {"}", "if ", "for ", "while ", "switch "};

std::string code_of(const std::string& line) {
    return line.substr(0, line.find(kComment));
}

/// The function whose definition begins on a line; empty if none does.
std::string function_begun_by(const std::string& line) {
    const std::string code = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    const auto begins_with = [&](std::string_view word) { return code.starts_with(word); };
    if (std::ranges::any_of(kStatements, begins_with)) return "";
    if (!code.ends_with(") {") && !code.ends_with(") const {")) return "";
    const std::string before = code.substr(0, code.find('('));
    return before.substr(before.find_last_of(" *&") + 1);
}

} // namespace

MarkedSource::MarkedSource(std::string_view program) {
    std::istringstream in{std::string(program)};
    bool at_top = true;
    for (std::string line; std::getline(in, line);) {
        lines_.push_back(line);
        const auto number = static_cast<unsigned>(lines_.size());
        at_top = at_top && line.starts_with(kComment);
        if (at_top && line.starts_with(kContinued) && !comment_.empty()) {
            comment_.back().text += fmt::format(" {}", line.substr(kContinued.size()));
        } else if (at_top) {
            comment_.push_back({line.substr(std::min(line.size(), kComment.size() + 1)), number});
        } else {
            read_marks(number);
        }
    }
}

void MarkedSource::read_marks(unsigned line) {
    const std::string& text = lines_[line - 1];
    std::size_t open = text.find(kComment);
    while ((open = text.find('[', open)) != std::string::npos) {
        const std::size_t close = std::min(text.find(']', open), text.size());
        const auto [found, is_new] =
            marks_.try_emplace(text.substr(open + 1, close - open - 1), Mark{.line = line});
        if (!is_new) {
            throw std::runtime_error(fmt::format("line {}: the mark [{}] is also on line {}", line,
                                                 found->first, found->second.line));
        }
        open = close;
    }
}

unsigned MarkedSource::line_of(const std::string& mark, const std::string& expression, unsigned asked_by) {
    const auto found = marks_.find(mark);
    if (found == marks_.end())
        throw std::runtime_error(fmt::format("line {}: no line has the mark [{}]", asked_by, mark));
    found->second.used = true;
    const unsigned line = found->second.line;
    if (code_of(lines_[line - 1]).find(expression) == std::string::npos) {
        throw std::runtime_error(fmt::format("line {}: [{}] is documented as `{}`, which is not on this line",
                                             line, mark, expression));
    }
    return line;
}

std::string MarkedSource::function_around(unsigned line) const {
    for (; line > 0; --line) {
        if (std::string name = function_begun_by(lines_[line - 1]); !name.empty()) return name;
    }
    return "";
}

bool MarkedSource::has_code_at(unsigned line, unsigned column) const {
    if (line == 0 || line > lines_.size()) return false;
    const std::string code = code_of(lines_[line - 1]);
    return column > code.find_first_not_of(' ') && column <= code.find_last_not_of(' ') + 1;
}

std::optional<MarkedSource::Unused> MarkedSource::unused_mark() const {
    for (const auto& [name, mark] : marks_) {
        if (!mark.used) return Unused{.mark = name, .line = mark.line};
    }
    return std::nullopt;
}

} // namespace heddle::test
