#include "analysis/analyze.h"
#include "daemon/report/make_report.h"
#include "daemon/report/report.h"
#include "daemon/report/report_bytes.h"
#include "sample_run.h"
#include "traces/io/byte_source.h"
#include "traces/text/reader.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::report {
namespace {

TraceReport report_of(std::string_view text, std::size_t max_findings = 100) {
    const auto source = bytes_in_memory(text);
    const auto read = read_text(*source, "memory", {});
    EXPECT_TRUE(read);
    AnalyzeOptions options;
    options.witnesses = true;
    options.refuted = false;
    SourceExpressions no_sources;
    return make_report(read->trace, analyze(read->trace, options), max_findings, no_sources);
}

TEST(Report, tells_findings_without_the_trace) {
    const TraceReport report = report_of(test::kRacy);
    ASSERT_FALSE(report.findings.empty());
    const ReportedFinding& race = report.findings[0];
    EXPECT_EQ(race.kind, FindingKind::race);
    EXPECT_EQ(race.certainty, Certainty::witnessed);
    EXPECT_EQ(race.variable, "total");
    EXPECT_EQ(race.accesses.size(), 2U);
    EXPECT_FALSE(race.steps.empty());
    EXPECT_THAT(race.schedule, testing::HasSubstr("| --: |"));
    EXPECT_THAT(race.witness_json, testing::HasSubstr("\"witness\""));
    EXPECT_EQ(report_of(test::kCorrect).findings.size(), 0U);
}

TEST(Report, keeps_to_its_limit_and_says_so) {
    const TraceReport all = report_of(test::kRacy);
    const TraceReport one = report_of(test::kRacy, 1);
    EXPECT_EQ(one.findings.size(), 1U);
    EXPECT_EQ(one.left_out, all.findings.size() - 1);
}

TEST(Report, a_race_has_the_same_key_whichever_access_came_first) {
    ReportedFinding race = report_of(test::kRacy).findings[0];
    const std::string key = bug_key(race);
    std::swap(race.accesses[0], race.accesses[1]);
    EXPECT_EQ(bug_key(race), key);
    race.accesses[0].place.line += 1;
    EXPECT_NE(bug_key(race), key);
}

TEST(Report, comes_back_from_its_bytes) {
    TraceReport report = report_of(test::kRacy);
    report.complete = true;
    report.recorded_unix_ns = 1'700'000'000'000'000'000;
    report.notes = {"a note", std::string("\0 and \xff", 7)};
    report.left_out = ~std::uint64_t{0};
    report.sources = {
        {.file = "a.cpp", .hash = "1234", .changed = true, .functions = {{0, 127}, {128, ~0U}}, .text = {}}};
    report.variables = {{.name = "total",
                         .guard = "mu",
                         .guarded = 300,
                         .accesses = 1ULL << 40U,
                         .uses = {{.place = {.file = "a.cpp", .line = 7},
                                   .act = source::Operation::update,
                                   .locks = {{.name = "mu", .shared = true}, {}},
                                   .count = 5}}}};
    const auto back = restored(stored(report));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, report);
    report.recorded_unix_ns = -1;
    EXPECT_EQ(restored(stored(report)), report);
    report.recorded_unix_ns.reset();
    EXPECT_EQ(restored(stored(report)), report);
}

TEST(Report, does_not_come_back_from_other_bytes) {
    const std::string bytes = stored(report_of(test::kRacy));
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(restored(std::string_view(bytes).substr(0, size))) << size;
    EXPECT_FALSE(restored(bytes + '\0'));
    std::mt19937_64 random(1);
    for (int i = 0; i < 2000; ++i) {
        std::string damaged = bytes;
        for (int hits = 0; hits < 3; ++hits) damaged[random() % damaged.size()] = static_cast<char>(random());
        if (const auto back = restored(damaged)) { // another report, perhaps, but one that can be shown
            for (const ReportedFinding& finding : back->findings) static_cast<void>(bug_key(finding));
        }
    }
}

} // namespace
} // namespace heddle::report
