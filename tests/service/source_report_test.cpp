// Reports of runs whose sources are there: places are expressions, and what has no name gets one from them.
#include "analysis/analyze.h"
#include "daemon/report/make_report.h"
#include "daemon/report/source_text.h"
#include "daemon/settings/path_mappings.h"
#include "traces/io/byte_source.h"
#include "traces/text/reader.h"

#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::report {
namespace {

using testing::HasSubstr;

using Files = std::map<std::string, std::string>;

TraceReport report_on(const std::string& run, const Files& files,
                      const std::vector<settings::PathMapping>& mappings = {}) {
    const auto source = bytes_in_memory(run);
    const auto read = read_text(*source, "memory", {});
    SourceExpressions expressions(
        [&](std::string_view path) { return settings::mapped_path(path, mappings); },
        [&](const std::string& file) {
            const auto found = files.find(file);
            return found == files.end() ? std::nullopt : std::optional(found->second);
        });
    AnalyzeOptions options;
    options.witnesses = true;
    return make_report(read->trace, analyze(read->trace, options), 10, expressions);
}

/// What a place stands for in its file.
std::string text_at(const SourcePlace& place, const Files& files) {
    std::istringstream lines(files.at(place.file));
    std::string line;
    for (std::uint32_t number = 0; number < place.line; ++number) std::getline(lines, line);
    if (place.end_line != place.line) return "";
    return line.substr(place.column - 1, place.end_column - place.column);
}

const Files kBank = {{"bank.cpp", "void deposit(Account* to) {\n"
                                  "    std::lock_guard<std::mutex> guard(to->mu);\n"
                                  "    to->balance += 50;\n"
                                  "}\n"
                                  "void bonus(Account& account) {\n"
                                  "    account.balance += 25;\n"
                                  "}\n"}};

/// GCC's columns: at the member, the operator, the parenthesis. The account has no name: it is on the heap.
std::string run_of(const std::string& file) {
    return "T0|fork(T1)|main@main.cpp:1:1\nT0|fork(T2)|main@main.cpp:2:1\n"
           "T1|acq(heap block + 8)|deposit@" +
           file +
           ":2:45\n"
           "T1|w(heap block + 48)|deposit@" +
           file +
           ":3:17|=50\n"
           "T1|rel(heap block + 8)|deposit@" +
           file +
           ":4:1\n"
           "T2|w(heap block + 48)|bonus@" +
           file + ":6:21|=75\n";
}

TEST(SourceReport, places_are_the_expressions_that_are_accessed) {
    const TraceReport report = report_on(run_of("bank.cpp"), kBank);
    ASSERT_EQ(report.findings.size(), 1U);
    const ReportedFinding& race = report.findings[0];
    EXPECT_EQ(text_at(race.accesses[0].place, kBank), "to->balance");
    EXPECT_EQ(text_at(race.accesses[1].place, kBank), "account.balance");
    bool locked = false;
    for (const ReportedStep& step : race.steps) {
        if (!step.words.starts_with("lock") && !step.words.starts_with("acquire")) continue;
        locked = true;
        EXPECT_EQ(text_at(step.place, kBank), "to->mu") << step.words;
    }
    EXPECT_TRUE(locked) << "the schedule takes the lock";
}

TEST(SourceReport, what_has_no_name_is_called_what_the_source_calls_it) {
    const ReportedFinding race = report_on(run_of("bank.cpp"), kBank).findings.at(0);
    EXPECT_EQ(race.variable, "to->balance");
    EXPECT_EQ(race.headline, "data race on 'to->balance'");
    EXPECT_THAT(lock_words(race.accesses[0].locks), testing::ElementsAre("to->mu"));
    EXPECT_THAT(race.schedule_text, HasSubstr("write to->balance"));
}

TEST(SourceReport, a_lock_is_called_what_its_guard_is_made_with) {
    const auto lock_of = [](const std::string& declaration) {
        Files files = kBank; // the lock is taken at the same place, in another way
        std::string& text = files["bank.cpp"];
        text.replace(text.find("    std::lock_guard<std::mutex> guard(to->mu);"), 46, declaration);
        std::string run = run_of("bank.cpp");
        run.replace(run.find("bank.cpp:2:45"), 13, "bank.cpp:2:" + std::to_string(declaration.size() - 1));
        return report_on(run, files).findings.at(0).accesses[0].locks.at(0).name;
    };
    EXPECT_EQ(lock_of("    std::lock_guard<std::mutex> guard(mu_);"), "mu_") << "a member, or a global";
    EXPECT_EQ(lock_of("    std::unique_lock<std::mutex> lk(to->mu, std::defer_lock); lk.lock();"), "to->mu");
    EXPECT_EQ(lock_of("    std::mutex& mu = to->mu; mu.lock();"), "heap block + 8") << "it may be any";
}

TEST(SourceReport, a_name_is_kept_where_the_source_does_not_prove_another) {
    Files other = kBank; // the two accesses no longer end in the same member
    other["bank.cpp"].replace(other["bank.cpp"].find("account.balance"), 15, "account.bonuses");
    EXPECT_EQ(report_on(run_of("bank.cpp"), other).findings.at(0).variable, "heap block + 48");
    EXPECT_EQ(report_on(run_of("bank.cpp"), {}).findings.at(0).variable, "heap block + 48");
}

TEST(ReportedVariables, are_all_of_what_is_declared) {
    const TraceReport report = report_on("T0|fork(T1)\nT0|fork(T2)\nT1|acq(m)\nT1|w(last)\nT1|w(last+4)\n"
                                         "T1|rel(m)\nT2|r(last+4)\nT2|w(last)\n",
                                         {});
    ASSERT_EQ(report.variables.size(), 1U);
    EXPECT_EQ(report.variables[0].name, "last");
    EXPECT_EQ(report.variables[0].accesses, 4U);
    EXPECT_EQ(report.variables[0].guard, "") << "at half of them it is not held";
}

TEST(ReportedVariables, are_those_on_the_heap_too_called_as_the_source_calls_them) {
    const TraceReport report = report_on(run_of("bank.cpp"), kBank);
    ASSERT_EQ(report.variables.size(), 1U);
    const ReportedVariable& balance = report.variables[0];
    EXPECT_EQ(balance.name, "to->balance in a heap block + 48");
    EXPECT_EQ(balance.owner, "Account");
    EXPECT_EQ(balance.accesses, 2U);
    ASSERT_EQ(balance.uses.size(), 2U);
    EXPECT_EQ(text_at(balance.uses[0].place, kBank), "to->balance");
    ASSERT_EQ(balance.uses[0].locks.size(), 1U);
    EXPECT_EQ(balance.uses[0].locks[0].name, "to->mu");
    const TraceReport without = report_on(run_of("bank.cpp"), {});
    EXPECT_EQ(without.variables.at(0).name, "heap block + 48");
    EXPECT_EQ(without.variables.at(0).uses[0].locks.at(0).name, "heap block + 8");
}

TEST(ReportedVariables, are_guarded_by_locks_whose_names_another_place_tells) {
    Files files = kBank; // which of both `std::lock` takes, nothing tells
    files["bank.cpp"] += "void transfer(Account* from, Account* to) {\n"
                         "    std::lock(from->mu, to->mu);\n"
                         "    to->balance += 5;\n"
                         "    to->mu.unlock();\n"
                         "}\n";
    std::string run = run_of("bank.cpp");
    run.insert(run.find("T1|acq"), "T1|acq(heap block + 8)|transfer@bank.cpp:9:14\n"
                                   "T1|w(heap block + 48)|transfer@bank.cpp:10:17|=5\n"
                                   "T1|rel(heap block + 8)|transfer@bank.cpp:11:18\n");
    const TraceReport report = report_on(run, files);
    ASSERT_EQ(report.variables.size(), 1U);
    EXPECT_EQ(report.variables[0].guard, "to->mu");
    EXPECT_EQ(report.variables[0].guarded, 2U);
}

TEST(ReportedVariables, are_not_guarded_by_a_lock_that_others_may_hold_while_they_are_written) {
    const auto guarded = [](const std::string& mode) {
        const std::string section = "|acq" + mode + "(m)\n{}|r(x)|a\n{}|w(x)|b\n{}|rel" + mode + "(m)\n";
        std::string run = "T0|fork(T1)\nT0|fork(T2)\n";
        for (const char* thread : {"T1", "T2"}) {
            std::string part = thread + section;
            for (std::size_t at = part.find("{}"); at != std::string::npos; at = part.find("{}"))
                part.replace(at, 2, thread);
            run += part;
        }
        const ReportedVariable x =
            report_on(run + "T2|acq_shared(m)\nT2|r(x)|a\nT2|rel_shared(m)\n", {}).variables.at(0);
        return std::pair(x.guarded, x.accesses);
    };
    EXPECT_EQ(guarded(""), std::pair(5UL, 5UL));
    EXPECT_EQ(guarded("_shared"), std::pair(3UL, 5UL));
}

TEST(SourceReport, sources_are_where_path_mappings_say) {
    const Files local = {{"/home/me/bank/bank.cpp", kBank.at("bank.cpp")}};
    const TraceReport report =
        report_on(run_of("/builds/x/bank.cpp"), local,
                  {{"/builds", "/elsewhere"}, {"/builds/x/", "/home/me/bank"}, {"/builds/xy", "/no"}});
    EXPECT_EQ(report.findings.at(0).accesses[0].place.file, "/home/me/bank/bank.cpp");
    EXPECT_EQ(text_at(report.findings[0].accesses[0].place, local), "to->balance");
}

TEST(PathMappings, go_by_whole_names_of_folders) {
    const std::vector<settings::PathMapping> mappings = {{"/build", "/home/me"}, {"/", "/root"}};
    EXPECT_EQ(settings::mapped_path("/build/a.c", mappings), "/home/me/a.c");
    EXPECT_EQ(settings::mapped_path("/building/a.c", mappings), "/root/building/a.c");
    EXPECT_EQ(settings::mapped_path("a.c", mappings), "a.c");
    EXPECT_EQ(settings::mapped_path("/build", mappings), "/home/me");
    EXPECT_EQ(settings::mapped_path("/a.c", {}), "/a.c");
}

TEST(SourceReport, what_nobody_wrote_is_no_source) {
    EXPECT_TRUE(could_be_source(""));
    EXPECT_TRUE(could_be_source(kBank.at("bank.cpp")));
    std::string long_text;
    for (int i = 0; i < 10'000; ++i) long_text += "    account.balance += 25;\n";
    EXPECT_TRUE(could_be_source(long_text));
    EXPECT_FALSE(could_be_source(std::string("int x;\0", 7)));
    EXPECT_FALSE(could_be_source(std::string(100'000, 'x')));
    EXPECT_FALSE(could_be_source(long_text + std::string(100'000, 'x') + "\n" + long_text));
    const Files files = {{"bank.cpp", kBank.at("bank.cpp") + "// " + std::string(100'000, 'x')}};
    const TraceReport report = report_on(run_of("bank.cpp"), files);
    ASSERT_FALSE(report.findings.empty());
    EXPECT_EQ(report.findings[0].accesses[0].place.end_line, 0U) << "marked by line and column alone";
}

} // namespace
} // namespace heddle::report
