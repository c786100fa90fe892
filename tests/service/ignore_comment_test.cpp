#include "analysis/analyze.h"
#include "daemon/cli/suppressing.h"
#include "daemon/settings/ignore_comment.h"
#include "sample_run.h"
#include "test_files.h"
#include "traces/io/byte_source.h"
#include "traces/text/reader.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace heddle::settings {
namespace {

TEST(IgnoreComment, names_what_is_not_to_be_shown) {
    EXPECT_TRUE(ignores("x = 1; // heddle: ignore race", FindingKind::race));
    EXPECT_FALSE(ignores("x = 1; // heddle: ignore race", FindingKind::atomicity));
    EXPECT_TRUE(ignores("x = 1; /* heddle: ignore race, atomicity */", FindingKind::atomicity));
    EXPECT_TRUE(ignores("x = 1; // heddle: ignore race: a statistic, nobody minds", FindingKind::race));
    EXPECT_TRUE(ignores("x = 1; // heddle: ignore", FindingKind::deadlock));
    EXPECT_TRUE(ignores("x = 1; // heddle: ignore (a statistic)", FindingKind::deadlock));
}

TEST(IgnoreComment, is_a_comment) {
    EXPECT_FALSE(ignores("puts(\"heddle: ignore race\");", FindingKind::race));
    EXPECT_FALSE(ignores("x = 1; // heddle: ignored races", FindingKind::race));
    EXPECT_FALSE(ignores("x = 1; // race", FindingKind::race));
    EXPECT_FALSE(ignores("", FindingKind::race));
}

TEST(IgnoreComment, what_is_written_is_understood) {
    for (const FindingKind kind : {FindingKind::race, FindingKind::atomicity, FindingKind::deadlock})
        EXPECT_TRUE(ignores("x;" + ignore_comment(kind), kind));
}

TEST(IgnoreComment, is_honoured_by_the_commands) {
    const test::TemporaryFolder folder;
    const std::string file = folder.file("bank.cpp");
    const std::string run =
        fmt::format("T0|fork(T1)|main@{0}:9:1\nT0|w(x)|main@{0}:1:1\nT1|w(x)|run@{0}:2:1\n", file);
    const auto source = bytes_in_memory(run);
    const Trace trace = read_text(*source, "memory", {})->trace;
    const Analysis analysis = analyze(trace);
    ASSERT_EQ(analysis.findings.size(), 1U);
    const auto suppressed = [&](std::string_view text) {
        test::write_file(file, text);
        return cli::SuppressionFile::load({})->of(trace, analysis);
    };
    EXPECT_FALSE(suppressed("x = 1;\nx = 2; // heddle: ignore atomicity\n").is(0));
    const report::Suppressed by_comment = suppressed("x = 1;\nx = 2; // heddle: ignore race\n");
    ASSERT_TRUE(by_comment.is(0));
    EXPECT_EQ(by_comment.by(0), file + ":2");
}

} // namespace
} // namespace heddle::settings
