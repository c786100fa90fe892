// Which findings are one bug to a person.
#include "analysis/analyze.h"
#include "analysis/analyzer.h"
#include "analysis/same_bug.h"
#include "small_traces.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing_support::trace_of;

/// The name of the variable that a finding shows, and how many it is about.
std::vector<std::pair<std::string, std::uint32_t>> bugs(const Trace& trace, AnalyzeOptions options = {}) {
    options.refuted = false;
    std::vector<std::pair<std::string, std::uint32_t>> result;
    for (const Finding& finding : analyze(trace, options).findings)
        result.emplace_back(trace.accessed_name(trace[finding.accesses[0].event]), finding.variables);
    return result;
}

/// Both threads write all of them, at these places.
std::string written_by_two(const std::vector<std::string>& variables, const char* first = "a.cpp:1",
                           const char* second = "a.cpp:2") {
    std::string text;
    for (const std::string& variable : variables) text += fmt::format("T1 w({}) @{}\n", variable, first);
    for (const std::string& variable : variables) text += fmt::format("T2 w({}) @{}\n", variable, second);
    return text;
}

std::string global(const char* word, const char* name, int address) {
    return fmt::format("#! object variable {} name={} address={}\n", word, name, address);
}

TEST(SameBug, elements_of_an_array_are_one) {
    EXPECT_THAT(bugs(trace_of(global("a", "hits[0]", 64) + global("b", "hits[1]", 72) +
                              global("c", "hits[2]", 80) + written_by_two({"a", "b", "c"}))),
                ElementsAre(Pair("hits[0]", 3U)));
}

TEST(SameBug, members_of_one_object_are_one_and_other_objects_are_others) {
    EXPECT_THAT(bugs(trace_of(global("a", "config.size", 64) + global("b", "config.name+8", 72) +
                              global("c", "other.size", 80) + written_by_two({"a", "b", "c"}))),
                ElementsAre(Pair("config.size", 2U), Pair("other.size", 1U)));
}

TEST(SameBug, other_places_are_other_bugs) {
    EXPECT_THAT(bugs(trace_of(global("a", "hits[0]", 64) + global("b", "hits[1]", 72) +
                              written_by_two({"a"}, "a.cpp:1", "a.cpp:2") +
                              written_by_two({"b"}, "a.cpp:1", "a.cpp:3"))),
                ElementsAre(Pair("hits[0]", 1U), Pair("hits[1]", 1U)));
}

TEST(SameBug, variables_that_have_nothing_but_a_name_are_told_apart_by_it) {
    EXPECT_THAT(bugs(trace_of(written_by_two({"x[0]", "x[1]"}))),
                ElementsAre(Pair("x[0]", 1U), Pair("x[1]", 1U)));
}

/// Nodes of two lists, each allocated at one place.
TEST(SameBug, heap_blocks_are_told_apart_by_where_they_were_allocated) {
    std::string text;
    for (int block = 0; block < 4; ++block)
        text += fmt::format("#! object block b{0} address={1} size=16\n"
                            "#! object variable v{0} name= address={1} block=b{0}\n"
                            "T0 alloc(b{0}) @list.cpp:{2}\n",
                            block, 1024 + 32 * block, block < 3 ? 7 : 8);
    text += "T0 fork(T1) @m\nT0 fork(T2) @m\n" + written_by_two({"v0", "v1", "v2", "v3"});
    const Trace trace = trace_of(text);
    std::vector<std::uint32_t> variables;
    for (const Finding& finding : analyze(trace, {.refuted = false}).findings)
        variables.push_back(finding.variables);
    EXPECT_THAT(variables, ElementsAre(3U, 1U));
}

TEST(SameBug, counts_what_stands_behind_all_of_them) {
    const Trace trace = trace_of(global("a", "hits[0]", 64) + global("b", "hits[1]", 72) +
                                 written_by_two({"a", "b"}) + "T2 w(b) @a.cpp:2\n");
    const Analysis analysis = analyze(trace, {.refuted = false});
    ASSERT_EQ(analysis.findings.size(), 1U);
    EXPECT_EQ(analysis.findings[0].count, 3U);
}

/// T1 stands at a[0] only after it has seen what T2 wrote; of a[1] nothing keeps them apart.
TEST(SameBug, the_one_with_a_witness_stands_for_the_others) {
    const Trace trace = trace_of(global("a", "hits[0]", 64) + global("b", "hits[1]", 72) +
                                 "T2 w(b) @a.cpp:2\n"
                                 "T2 w(a) @a.cpp:2\n"
                                 "T2 w(flag) @a.cpp:3 =1\n"
                                 "T1 w(b) @a.cpp:1\n"
                                 "T1 r(flag) @a.cpp:4 =1\n"
                                 "T1 w(a) @a.cpp:1\n");
    AnalyzeOptions options{.witnesses = true};
    const std::vector<std::pair<std::string, std::uint32_t>> found = bugs(trace, options);
    EXPECT_THAT(found, testing::Contains(Pair("hits[1]", 1U)));
    EXPECT_THAT(found, testing::Not(testing::Contains(Pair("hits[0]", testing::_))));
}

/// Access by access, as all at once.
TEST(SameBug, a_run_that_grows_has_the_same_bugs) {
    std::string declared;
    std::vector<std::string> variables;
    for (int i = 0; i < 20; ++i) {
        variables.push_back(fmt::format("v{}", i));
        declared += global(variables.back().c_str(), fmt::format("cells[{}]", i).c_str(), 64 + 8 * i);
    }
    const std::string text = written_by_two(variables);
    Analyzer analyzer({.refuted = false, .witnesses = true});
    for (std::size_t end = 0; (end = text.find('\n', end)) != std::string::npos; ++end)
        static_cast<void>(analyzer.extend(trace_of(declared + text.substr(0, end + 1))));
    ASSERT_EQ(analyzer.analysis().findings.size(), 1U);
    EXPECT_EQ(analyzer.analysis().findings[0].variables, 20U);
    EXPECT_TRUE(std::holds_alternative<Witnessed>(analyzer.analysis().findings[0].verdict));
}

} // namespace
} // namespace heddle
