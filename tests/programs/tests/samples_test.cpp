// Each sample, as GCC and Clang compile it at three levels of optimisation, is recorded in a run in which
// nothing goes wrong; what Heddle then reports is what the sample documents: every bug, at its places, and
// nothing else.
#include "agreement.h"
#include "analysis/source/place_map.h"
#include "documentation.h"
#include "marked_source.h"
#include "reported_findings.h"
#include "samples.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::test {
namespace {

/// What a documented bug must be found to be: "possible" or, better, "witnessed".
constexpr const char* kVerdict = "witnessed";

/// Whether what was found to be so may be reported. What has no witness may be possible, and no more.
bool may_be_reported(Claim claim, const std::string& verdict) {
    return claim == Claim::bug || (claim == Claim::no_witness && verdict == "possible");
}

void expect_threads(const Documentation& documented, const Report& report) {
    const std::set<std::string> expected(documented.threads.begin(), documented.threads.end());
    EXPECT_EQ(std::set<std::string>(report.threads.begin(), report.threads.end()), expected);
}

void expect_bugs(const Documentation& documented, const Report& report) {
    for (const DocumentedFinding& bug : documented.findings) {
        if (bug.claim != Claim::bug) continue;
        const bool found = std::ranges::any_of(report.findings, [&](const ReportedFinding& reported) {
            return reported.verdict == kVerdict && agree(bug, reported);
        });
        EXPECT_TRUE(found) << "not reported: " << text_of(bug);
    }
}

void expect_nothing_else(const Documentation& documented, const Report& report) {
    for (const ReportedFinding& reported : report.findings) {
        const bool expected = std::ranges::any_of(documented.findings, [&](const DocumentedFinding& finding) {
            return may_be_reported(finding.claim, reported.verdict) && agree(finding, reported);
        });
        EXPECT_TRUE(expected) << "not documented: " << text_of(reported);
    }
}

/// Columns, where there are any, are those of code.
void expect_columns(const MarkedSource& source, const Report& report) {
    for (const ReportedFinding& reported : report.findings) {
        for (const ReportedStep& step : reported.steps) {
            for (const SourceFrame& frame : step.frames) {
                EXPECT_TRUE(frame.column == 0 || source.has_code_at(frame.line, frame.column))
                    << frame.function << ":" << frame.line << ":" << frame.column;
            }
        }
    }
}

source::Place place_of(const ReportedFinding& finding, const ReportedStep& step) {
    const bool request = !step.asks_for.empty();
    const source::Operation access = step.operation == "r" || step.operation == "atomic_load"
                                         ? source::Operation::read
                                         : source::Operation::write;
    return {.line = step.frames[0].line,
            .column = step.frames[0].column,
            .operation = request ? source::Operation::lock : access,
            .name = request ? step.asks_for : finding.variable};
}

/// Every access and request is found to be the documented expression of its line.
void expect_expressions(const std::string& name, const Documentation& documented, const Report& report) {
    const source::SyntaxTree tree = source::SyntaxTree::parse(sample_text(name), *language_of(name));
    const source::PlaceMap map(tree);
    for (const ReportedFinding& reported : report.findings) {
        for (const ReportedStep& step : reported.steps) {
            if (step.frames.empty()) continue;
            const auto found = map.locate(place_of(reported, step));
            const std::string text(found ? tree.text(found->range) : "nothing");
            std::set<std::string> expected;
            for (const DocumentedFinding& finding : documented.findings) {
                for (const DocumentedStep& one : finding.steps) {
                    if (one.place.line == step.frames[0].line) expected.insert(one.expression);
                }
            }
            EXPECT_TRUE(found && found->exact && expected.contains(text))
                << text << " at " << step.frames[0].line << ":" << step.frames[0].column;
        }
    }
}

using Build = std::tuple<std::string, std::string, std::string>; ///< sample, compiler, level

class Sample : public testing::TestWithParam<Build> {};

TEST_P(Sample, is_as_documented) {
    const auto& [name, compiler, level] = GetParam();
    const Documentation documented = parse_documentation(sample_text(name));
    const Report report = report_on(
        std::string(HEDDLE_SAMPLE_PROGRAMS) + "/" + sample_stem(name) + "." + compiler + "-" + level, name);
    if (HasFailure()) return;
    expect_threads(documented, report);
    expect_bugs(documented, report);
    expect_nothing_else(documented, report);
    expect_columns(MarkedSource(sample_text(name)), report);
    expect_expressions(name, documented, report);
    if (HasFailure()) {
        for (const ReportedFinding& reported : report.findings)
            ADD_FAILURE() << "reported: " << text_of(reported);
    }
}

INSTANTIATE_TEST_SUITE_P(All, Sample,
                         testing::Combine(testing::ValuesIn(sample_names()), testing::Values("gcc", "clang"),
                                          testing::Values("O0", "O1", "O2")),
                         [](const auto& about) {
                             return sample_stem(std::get<0>(about.param)) + "_" + std::get<1>(about.param) +
                                    "_" + std::get<2>(about.param);
                         });

} // namespace
} // namespace heddle::test
