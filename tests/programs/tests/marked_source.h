// The text of a sample program: the comment at its top, line by line, and the lines that have marks.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::test {

/// A line of the comment at the top, without the slashes and the blank behind them. Lines that are indented
/// by five blanks go on with what the line before began.
struct CommentLine {
    std::string text;
    unsigned number = 0;
};

class MarkedSource {
  public:
    /// Throws std::runtime_error when a mark is on several lines.
    explicit MarkedSource(std::string_view program);

    [[nodiscard]] const std::vector<CommentLine>& comment() const { return comment_; }

    /// The line that has the mark. Throws std::runtime_error, in the name of line `asked_by`, when no line
    /// has it or when the line does not have the expression.
    [[nodiscard]] unsigned line_of(const std::string& mark, const std::string& expression, unsigned asked_by);

    /// The name of the function that a line belongs to, without what it is a member of; empty if there is
    /// none.
    [[nodiscard]] std::string function_around(unsigned line) const;

    /// Whether a column, counted from 1, is one of the code of a line: not blank space at its beginning, no
    /// comment.
    [[nodiscard]] bool has_code_at(unsigned line, unsigned column) const;

    struct Unused {
        std::string mark;
        unsigned line = 0;
    };
    /// A mark that nobody asked for.
    [[nodiscard]] std::optional<Unused> unused_mark() const;

  private:
    struct Mark {
        unsigned line = 0;
        bool used = false;
    };

    void read_marks(unsigned line);

    std::vector<std::string> lines_; ///< line 1 is at 0
    std::vector<CommentLine> comment_;
    std::map<std::string, Mark> marks_;
};

} // namespace heddle::test
