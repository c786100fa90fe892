// From places to expressions, case by case: tests/analysis/source/*.cases. A line is
//
//     OPERATION NAME | CODE
//
// r, w, u: a read, a write, an atomic update; l, s, t: of a lock, a condition, a thread. NAME is what debug
// information calls the memory, "-" if it does not, "heap" what has no name because it is on the heap. In the
// code, which stands in a function (or, after "file", by itself), @ is the column that the compiler has, «…»
// the expression, ‹…› what has it somewhere, and ⏎ the end of a line. Without such marks nothing is to be
// found.
#include "analysis/source/place_map.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace heddle::source {

struct Case {
    std::string where;
    Language language = Language::c;
    Operation operation = Operation::other;
    std::string name;
    std::string text; ///< without marks
    std::uint32_t place = 0;
    std::optional<Expression> expected;
};

void PrintTo(const Case& one, std::ostream* out) {
    *out << one.where;
}

namespace {

Operation operation_of(char letter) {
    switch (letter) {
    case 'r': return Operation::read;
    case 'w': return Operation::write;
    case 'u': return Operation::update;
    case 'l': return Operation::lock;
    case 's': return Operation::signal;
    case 't': return Operation::thread;
    default: ADD_FAILURE() << "no operation: " << letter; return Operation::other;
    }
}

std::string next_word(std::string_view& line) {
    const std::size_t end = line.find(' ');
    const std::string word(line.substr(0, end));
    line.remove_prefix(end + 1);
    return word;
}

void take_code(std::string_view code, bool whole_file, Case& result) {
    result.text = whole_file ? "" : "void f() {\n";
    Expression found;
    while (!code.empty()) {
        const auto at = static_cast<std::uint32_t>(result.text.size());
        const auto mark = [&](std::string_view text) {
            if (!code.starts_with(text)) return false;
            code.remove_prefix(text.size());
            return true;
        };
        if (mark("@")) {
            result.place = at;
        } else if (mark("«") || mark("‹")) {
            found.range.first = at;
        } else if (mark("»")) {
            result.expected = Expression{{found.range.first, at}, true};
        } else if (mark("›")) {
            result.expected = Expression{{found.range.first, at}, false};
        } else if (mark("⏎")) {
            result.text += '\n';
        } else {
            result.text += code.front();
            code.remove_prefix(1);
        }
    }
    result.text += whole_file ? "\n" : "\n}\n";
}

std::vector<Case> cases() {
    std::vector<Case> result;
    for (const auto& [name, language] :
         {std::pair("c.cases", Language::c), std::pair("cpp.cases", Language::cpp)}) {
        std::ifstream file(std::string(HEDDLE_SOURCE_CASES) + "/" + name);
        std::string line;
        for (int number = 1; std::getline(file, line); ++number) {
            if (line.empty() || line.starts_with('#') || line.starts_with("==")) continue;
            std::string_view rest = line;
            Case one{.where = std::string(name) + ":" + std::to_string(number) + ": " + line,
                     .language = language};
            const bool whole_file = rest.starts_with("file ");
            if (whole_file) next_word(rest);
            one.operation = operation_of(next_word(rest).front());
            one.name = next_word(rest);
            if (one.name == "-") one.name.clear();
            if (one.name == "heap") one.name = "heap block of 24 bytes allocated in open (x.c:20)";
            next_word(rest); // the bar
            take_code(rest, whole_file, one);
            result.push_back(std::move(one));
        }
    }
    return result;
}

Place place_in(const Case& one) {
    const std::string_view before = std::string_view(one.text).substr(0, one.place);
    const std::size_t line = before.rfind('\n');
    return {.line = 1 + static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n')),
            .column = static_cast<std::uint32_t>(before.size() -
                                                 (line == std::string_view::npos ? 0 : line + 1) + 1),
            .operation = one.operation,
            .name = one.name};
}

class SourcePlace : public testing::TestWithParam<Case> {};

TEST_P(SourcePlace, is_the_marked_expression) {
    const Case& one = GetParam();
    const SyntaxTree tree = SyntaxTree::parse(one.text, one.language);
    const auto found = PlaceMap(tree).locate(place_in(one));
    const auto text = [&](const std::optional<Expression>& expression) {
        if (!expression) return std::string("nothing");
        return std::string(tree.text(expression->range)) + (expression->exact ? "" : " (has it somewhere)");
    };
    EXPECT_EQ(text(found), text(one.expected)) << one.where;
    if (found && one.expected) {
        EXPECT_EQ(found->range, one.expected->range) << one.where;
    }
}

INSTANTIATE_TEST_SUITE_P(All, SourcePlace, testing::ValuesIn(cases()));

TEST(SourcePlaces, there_are_cases) {
    EXPECT_GE(cases().size(), 200U); // a file that is not found has none
}

} // namespace
} // namespace heddle::source
