// Reads one sentence of a sample's documentation from left to right. What does not fit is refused with line
// and text.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace heddle::test {

class Scanner {
  public:
    Scanner(std::string_view text, unsigned line) : text_(text), rest_(text), line_(line) {}

    /// Whether the text goes on with this; then it is passed over.
    bool accept(std::string_view literal) {
        if (!rest_.starts_with(literal)) return false;
        rest_.remove_prefix(literal.size());
        return true;
    }

    void expect(std::string_view literal) {
        if (!accept(literal)) refuse();
    }

    /// Up to a blank or a comma.
    std::string word() { return take(rest_.find_first_of(" ,")); }

    /// What stands between two characters: quotes, brackets.
    std::string enclosed(char open, char close) {
        expect(std::string_view(&open, 1));
        std::string inside = take(rest_.find(close));
        expect(std::string_view(&close, 1));
        return inside;
    }
    std::string name() { return enclosed('\'', '\''); }
    std::string expression() { return enclosed('`', '`'); }
    std::string mark() { return enclosed('[', ']'); }

    void expect_end() const {
        if (!rest_.empty()) refuse();
    }

    [[noreturn]] void refuse() const {
        throw std::runtime_error(
            fmt::format("line {}: not understood, from '{}' on: {}", line_, rest_, text_));
    }

  private:
    std::string take(std::size_t size) {
        size = std::min(size, rest_.size());
        if (size == 0) refuse();
        std::string taken(rest_.substr(0, size));
        rest_.remove_prefix(size);
        return taken;
    }

    std::string_view text_;
    std::string_view rest_;
    unsigned line_;
};

} // namespace heddle::test
