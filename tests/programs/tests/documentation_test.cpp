// The samples' documentation is exact: the comment at the top of each names lines by marks, and a line that
// is changed, moved away, doubled or removed without its documentation is noticed. README.md tells what the
// samples tell.
#include "documentation.h"
#include "readme_table.h"
#include "samples.h"

#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::test {
namespace {

using testing::HasSubstr;

constexpr const char* kProgram = R"(// A counter without a lock.
//
// threads: adder
//
// bug: race on 'hits'
//   update `hits` in add [add], holding nothing
//   read `hits` in main [show], holding 'm', 'n' (shared)
//   because there is
//   no lock
#include "sample.h"

static int hits;

static void add(int count) {
    for (int i = 0; i < count; ++i) {
        hits += 1; // [add]
    }
}

int main() {
    return hits; // [show]
}
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::logic_error("not in the text: " + from);
    return text.replace(at, from.size(), to);
}

std::string problem_of(const std::string& program) {
    try {
        static_cast<void>(parse_documentation(program));
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "";
}

TEST(Documentation, is_read) {
    const Documentation read = parse_documentation(kProgram);
    EXPECT_EQ(read.about, "A counter without a lock.");
    EXPECT_EQ(read.threads, std::vector<std::string>{"adder"});
    ASSERT_EQ(read.findings.size(), 1U);
    const DocumentedFinding& race = read.findings[0];
    EXPECT_EQ(race.claim, Claim::bug);
    EXPECT_EQ(race.kind, "race");
    EXPECT_EQ(race.variable.name, "hits");
    EXPECT_EQ(race.because, "there is no lock");
    ASSERT_EQ(race.steps.size(), 2U);
    EXPECT_EQ(race.steps[0].operation, "update");
    EXPECT_EQ(race.steps[0].place.function, "add");
    EXPECT_EQ(race.steps[0].place.line, 16U);
    EXPECT_TRUE(race.steps[0].holding.empty());
    ASSERT_EQ(race.steps[1].holding.size(), 2U);
    EXPECT_EQ(race.steps[1].holding[0].name, "m");
    EXPECT_FALSE(race.steps[1].holding[0].shared);
    EXPECT_TRUE(race.steps[1].holding[1].shared);
}

TEST(Documentation, of_a_line_that_lost_its_mark) {
    EXPECT_EQ(problem_of(replaced(kProgram, "hits; // [show]", "hits;")),
              "line 7: no line has the mark [show]");
}

TEST(Documentation, of_a_mark_on_two_lines) {
    EXPECT_EQ(problem_of(replaced(kProgram, "int main() {", "int main() { // [add]")),
              "line 20: the mark [add] is also on line 16");
}

TEST(Documentation, of_a_mark_on_a_line_without_the_expression) {
    const std::string moved = replaced(replaced(kProgram, " // [add]", ""), "++i) {", "++i) { // [add]");
    EXPECT_EQ(problem_of(moved), "line 15: [add] is documented as `hits`, which is not on this line");
}

TEST(Documentation, of_a_line_in_another_function) {
    EXPECT_EQ(problem_of(replaced(kProgram, "in add [add]", "in subtract [add]")),
              "line 16: [add] is documented as a line of subtract, but is within add");
}

TEST(Documentation, of_a_mark_that_says_nothing) {
    EXPECT_EQ(problem_of(replaced(kProgram, "static int hits;", "static int hits; // [hits]")),
              "line 12: nothing is said about the mark [hits]");
}

TEST(Documentation, that_is_not_understood) {
    EXPECT_THAT(problem_of(replaced(kProgram, "update", "updates")), HasSubstr("line 6: not understood"));
    EXPECT_THAT(problem_of(replaced(kProgram, "bug: race", "bug: rage")),
                HasSubstr("line 5: not understood"));
    EXPECT_THAT(problem_of(replaced(kProgram, "bug: race", "bug: atomicity")),
                HasSubstr("line 5: not understood"));
    EXPECT_THAT(problem_of(replaced(kProgram, "holding 'm', ", "holding m, ")),
                HasSubstr("line 7: not understood, from 'm, "));
    EXPECT_THAT(problem_of(replaced(kProgram, "(shared)", "(shard)")), HasSubstr("line 7: not understood"));
}

TEST(Documentation, that_is_incomplete) {
    EXPECT_EQ(problem_of(replaced(kProgram, "//   because there is\n//   no lock\n", "")),
              "line 5: the reason is missing");
    EXPECT_EQ(problem_of(replaced(kProgram, "bug: race", "bug: atomicity RWR")),
              "line 5: atomicity of 2 steps");
    EXPECT_THAT(problem_of(replaced(kProgram, "// threads: adder\n", "")),
                HasSubstr("does not name its threads"));
}

TEST(Documentation, means_any_index_by_a_star) {
    EXPECT_TRUE(name_matches("cells[*].value", "cells[12].value"));
    EXPECT_TRUE(name_matches("cells[*]", "cells[0]"));
    EXPECT_FALSE(name_matches("cells[*].value", "cells[12].next"));
    EXPECT_FALSE(name_matches("cells[*]", "cells"));
    EXPECT_FALSE(name_matches("cells[*]", "cells[x]"));
}

class SampleDocumentation : public testing::TestWithParam<std::string> {};

TEST_P(SampleDocumentation, is_exact) {
    EXPECT_EQ(problem_of(sample_text(GetParam())), "");
}

/// Whatever marked line goes, somebody notices.
TEST_P(SampleDocumentation, notices_every_line_that_goes) {
    const std::string text = sample_text(GetParam());
    const Documentation read = parse_documentation(text);
    for (const DocumentedFinding& finding : read.findings) {
        for (const DocumentedStep& step : finding.steps) {
            const std::string mark = " // [" + step.place.mark + "]";
            EXPECT_NE(problem_of(replaced(text, mark, "")), "") << mark;
            EXPECT_NE(problem_of(replaced(replaced(text, mark, ""), "#include", mark + "\n#include")), "")
                << mark;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, SampleDocumentation, testing::ValuesIn(sample_names()),
                         [](const auto& about) { return sample_stem(about.param); });

TEST(Readme, tells_what_the_samples_tell) {
    std::string expected;
    for (const std::string& name : sample_names())
        expected += readme_rows(name, parse_documentation(sample_text(name)));
    EXPECT_THAT(sample_text("README.md"), HasSubstr(expected)) << "the table should be\n" << expected;
}

} // namespace
} // namespace heddle::test
