// The program as a user types it.
#include "run_program.h"
#include "test_files.h"

#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

namespace heddle {
namespace {

using nlohmann::json;
using test::Ran;
using test::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Ran heddle(std::vector<std::string> words) {
    words.insert(words.begin(), HEDDLE_PROGRAM);
    return test::run_program(std::move(words));
}

std::string bank() {
    return HEDDLE_SAMPLES "/bank.std";
}

void write_text(const std::string& path, const std::string& text) {
    test::write_bytes(path, {text.begin(), text.end()});
}

TEST(Cli, help_teaches_and_version_tells) {
    const Ran help = heddle({"--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_THAT(
        help.out,
        AllOf(HasSubstr("record"), HasSubstr("info"), HasSubstr("convert"), HasSubstr("dump"),
              HasSubstr("generate"),
              HasSubstr("Exit status: 0 fine, 1 damage, findings or an incomplete analysis, 2 error")));
    EXPECT_THAT(heddle({"--version"}).out, testing::StartsWith("heddle "));
    for (const char* command : {"record", "analyze", "witness", "info", "convert", "dump", "generate"}) {
        const Ran about = heddle({command, "--help"});
        EXPECT_EQ(about.status, 0) << command;
        EXPECT_THAT(about.out, HasSubstr("Usage:")) << command;
    }
}

TEST(Cli, wrong_usage_is_an_error) {
    EXPECT_EQ(heddle({}).status, 2);
    EXPECT_EQ(heddle({"frobnicate"}).status, 2);
    EXPECT_EQ(heddle({"info"}).status, 2);
    EXPECT_EQ(heddle({"info", "--nonsense", bank()}).status, 2);
}

TEST(Cli, info_describes_a_trace) {
    const Ran ran = heddle({"info", bank()});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.out, AllOf(HasSubstr("3 threads"), HasSubstr("T1"), HasSubstr("acquire"),
                               HasSubstr("variables"), HasSubstr("damage     none")));
}

TEST(Cli, info_as_json) {
    const Ran ran = heddle({"info", "--json", bank()});
    EXPECT_EQ(ran.status, 0);
    const json info = json::parse(ran.out);
    EXPECT_EQ(info["version"], 1);
    EXPECT_EQ(info["threads"].size(), 3U);
    EXPECT_EQ(info["damage"]["total"], 0);
    EXPECT_GT(info["kinds"]["r"].get<int>(), 0);
    EXPECT_EQ(json::parse(heddle({"info", "--json", bank(), bank()}).out).size(), 2U);
}

TEST(Cli, info_on_a_broken_trace_names_file_and_line_and_keeps_the_rest) {
    const TemporaryFolder folder;
    const std::string path = folder.file("broken.std");
    write_text(path, "T0|acq(l)|1\nT1|rel(l)|2\nT0|flub(x)|3\nT0|rel(l)|4\n");
    const Ran ran = heddle({"info", path});
    EXPECT_EQ(ran.status, 1);
    EXPECT_THAT(ran.out, AllOf(HasSubstr("2 events"), HasSubstr("2 problems")));
    EXPECT_THAT(ran.err,
                AllOf(HasSubstr(path + ":3:4: "), HasSubstr(path + ":2: T1 releases 'l', which T0 holds")));
    const json damage = json::parse(heddle({"info", "--json", path}).out)["damage"];
    EXPECT_EQ(damage["total"], 2);
}

TEST(Cli, files_that_are_no_traces_are_errors_and_the_others_are_still_described) {
    const TemporaryFolder folder;
    write_text(folder.file("empty"), "");
    write_text(folder.file("words.std"), "this is not a trace\nat all\n");
    ASSERT_EQ(mkfifo(folder.file("pipe").c_str(), 0600), 0);
    const Ran ran = heddle({"info", folder.file("missing"), folder.file("empty"), folder.file(""),
                            folder.file("pipe"), folder.file("words.std"), bank()});
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.err,
                AllOf(HasSubstr("missing: cannot be opened: No such file"), HasSubstr("empty: is empty"),
                      HasSubstr("is a directory, not a file"), HasSubstr("is a device or pipe, not a file"),
                      HasSubstr("words.std: not a trace")));
    EXPECT_THAT(ran.out, HasSubstr("3 threads"));
}

TEST(Cli, convert_there_and_back_changes_nothing) {
    const TemporaryFolder folder;
    ASSERT_EQ(heddle({"convert", bank(), folder.file("a.htr")}).status, 0);
    ASSERT_EQ(heddle({"convert", folder.file("a.htr"), folder.file("b.std")}).status, 0);
    ASSERT_EQ(heddle({"convert", folder.file("b.std"), folder.file("c.htr")}).status, 0);
    ASSERT_EQ(heddle({"convert", folder.file("c.htr"), folder.file("d.std")}).status, 0);
    EXPECT_EQ(test::read_bytes(folder.file("b.std")), test::read_bytes(folder.file("d.std")));
    EXPECT_EQ(heddle({"dump", "--stacks", folder.file("a.htr")}).out,
              heddle({"dump", "--stacks", bank()}).out);
}

TEST(Cli, convert_leaves_nothing_behind_when_it_fails) {
    const TemporaryFolder folder;
    const Ran nowhere = heddle({"convert", bank(), folder.file("no/such/folder/a.htr")});
    EXPECT_EQ(nowhere.status, 2);
    EXPECT_THAT(nowhere.err, HasSubstr("No such file or directory"));
    std::filesystem::create_directory(folder.file("taken.htr"));
    EXPECT_EQ(heddle({"convert", bank(), folder.file("taken.htr")}).status, 2);
    EXPECT_EQ(heddle({"convert", bank(), folder.file("a.unknown")}).status, 2);
    EXPECT_EQ(heddle({"convert", bank(), folder.file("a.unknown"), "--to", "nonsense"}).status, 2);
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.file("")))
        files += entry.is_regular_file() ? 1U : 0U;
    EXPECT_EQ(files, 0U);
}

TEST(Cli, convert_says_what_the_target_cannot_hold) {
    const TemporaryFolder folder;
    const Ran plain = heddle({"convert", "--plain", "--json", bank(), folder.file("plain.std")});
    EXPECT_EQ(plain.status, 0);
    EXPECT_FALSE(json::parse(plain.out)["not_held"].empty());
    EXPECT_THAT(plain.err, HasSubstr("does not hold everything"));
}

TEST(Cli, convert_to_chrome_json_makes_a_timeline) {
    const TemporaryFolder folder;
    ASSERT_EQ(
        heddle({"generate", "--preset", "every-kind", "--seed", "5", "-o", folder.file("g.htr")}).status, 0);
    ASSERT_EQ(heddle({"convert", folder.file("g.htr"), folder.file("g.json")}).status, 0);
    const std::vector<std::uint8_t> bytes = test::read_bytes(folder.file("g.json"));
    const json timeline = json::parse(bytes.begin(), bytes.end());
    std::map<std::string, int> phases;
    for (const json& event : timeline["traceEvents"]) {
        ++phases[event["ph"]];
        EXPECT_TRUE(event.contains("pid"));
        if (event["ph"] == "X") {
            EXPECT_GE(event["dur"].get<int>(), 0);
        }
    }
    EXPECT_GT(phases["M"], 1);
    EXPECT_GT(phases["i"], 0);
    EXPECT_GT(phases["X"], 0);
    EXPECT_EQ(phases["b"], phases["e"]);
    EXPECT_EQ(phases["s"], phases["f"]);
    EXPECT_GT(phases["s"], 0);
}

TEST(Cli, dump_shows_events_by_range_and_thread) {
    const Ran range = heddle({"dump", bank(), "--range", "1:3"});
    EXPECT_EQ(range.status, 0);
    EXPECT_EQ(std::count(range.out.begin(), range.out.end(), '\n'), 2);
    EXPECT_THAT(range.out, HasSubstr("bank.cpp:"));
    const Ran thread = heddle({"dump", bank(), "--thread", "T1"});
    EXPECT_THAT(thread.out, AllOf(HasSubstr("  T1  "), Not(HasSubstr("  T2  "))));
    EXPECT_EQ(heddle({"dump", bank(), "--thread", "nobody"}).status, 2);
    for (const char* wrong : {"3", "5:2", "a:b", "1:2:3", "-1:2"}) {
        EXPECT_EQ(heddle({"dump", bank(), std::string("--range=") + wrong}).status, 2) << wrong;
    }
    EXPECT_EQ(heddle({"dump", bank(), "--range", "1000000:"}).out, "");
}

TEST(Cli, dump_as_json_is_one_object_a_line) {
    const Ran ran = heddle({"dump", "--json", bank(), "--range", ":5"});
    std::istringstream lines(ran.out);
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        EXPECT_EQ(json::parse(line)["event"], count);
    }
    EXPECT_EQ(count, 5);
}

/// The text without its last line, which tells the time.
std::string without_summary(const std::string& text) {
    return text.substr(0, text.rfind('\n', text.size() - 2) + 1);
}

TEST(Cli, analyze_reports_what_other_schedules_hit_and_how) {
    const Ran ran = heddle({"analyze", bank()});
    EXPECT_EQ(ran.status, 1) << ran.err;
    EXPECT_EQ(without_summary(ran.out),
              R"(bank.cpp:41:9: error: data race on 'acct->balance' [race 1, witnessed]
   write in deposit        thread T1, holding 'acct->mu'   bank.cpp:41:9
   read  in deposit_bonus  thread T2, holding nothing      bank.cpp:57:9
       T0                      T1                               T2
       … 2 events
   1   fork T1  bank.cpp:90
   2   fork T2          :91
   3                           lock acct->mu     bank.cpp:40
   4                           read acct->balance = 100  :41
   5                         ▶ write acct->balance       :41 ◀
   6                                                          ▶ read acct->balance  bank.cpp:57 ◀
bank.cpp:57:9: error: data race on 'acct->balance' [race 2, witnessed]
   write in deposit_bonus  thread T2, holding nothing      bank.cpp:57:9
   read  in statement      thread T1, holding 'acct->mu'   bank.cpp:70:24
       T0                      T1                                T2
       … 2 events
   1   fork T1  bank.cpp:90
   2   fork T2          :91
   3                           lock acct->mu      bank.cpp:40
   4                           read acct->balance = 100   :41
   5                           write acct->balance = 150  :41
   6                           read acct->deposits = 0    :42
   7                           write acct->deposits = 1   :42
   8                           unlock acct->mu            :43
   9                           lock acct->mu              :69
  10                                                             read acct->balance = 150  bank.cpp:57
  11                                                           ▶ write acct->balance               :57 ◀
  12                         ▶ read acct->balance         :70 ◀
)");
    EXPECT_THAT(ran.out,
                testing::ContainsRegex(
                    "2 races · 0 atomicity violations · 0 deadlocks · 26 events in [0-9.]+ (m|µ)?s\n$"));
}

TEST(Cli, analyze_tells_what_cannot_happen_and_why_when_asked) {
    const std::string refuted = heddle({"analyze", "--show-refuted", bank()}).out;
    EXPECT_THAT(refuted, AllOf(HasSubstr("cannot happen (hard order)"), HasSubstr("cannot happen (lockset)"),
                               HasSubstr("cannot happen (data)"),
                               HasSubstr("data race on 'acct->balance' [race 2, witnessed]")));
}

TEST(Cli, analyze_without_witnesses_stops_before_the_search) {
    const Ran ran = heddle({"analyze", "--no-witness", bank()});
    EXPECT_EQ(ran.status, 1);
    EXPECT_THAT(ran.out, AllOf(HasSubstr("warning: data race on 'acct->balance' [race 1, possible]"),
                               HasSubstr("[atomicity 3, possible]"),
                               HasSubstr("2 possible races · 1 possible atomicity violation · 0 possible"),
                               Not(HasSubstr("no witness")), Not(HasSubstr("witnessed"))));
}

TEST(Cli, without_a_witness_a_finding_is_a_warning_and_says_why) {
    const TemporaryFolder folder;
    std::string text = "T0|fork(T1)|1\nT0|fork(T2)|2\nT1|w(x)|3|=1\n";
    for (int i = 0; i < 100; ++i) text += "T2|w(own)|4|=1\nT0|w(other)|5|=1\n";
    write_text(folder.file("far.std"), text + "T2|w(x)|6|=2\n");
    const Ran ran = heddle({"analyze", "--witness-budget", "0.001", folder.file("far.std")});
    EXPECT_EQ(ran.status, 1);
    EXPECT_THAT(ran.out, AllOf(HasSubstr("3: warning: data race on 'x' [race 1, possible]"),
                               testing::ContainsRegex("\n   no witness: [a-z]"),
                               HasSubstr("0 races · 0 atomicity violations · 0 deadlocks · 1 possible · ")));
    const Ran none = heddle({"witness", "--witness-budget", "0.001", folder.file("far.std"), "1"});
    EXPECT_EQ(none.status, 2);
    EXPECT_THAT(none.err,
                testing::ContainsRegex("finding 1 of .*far.std is possible and has no witness: [a-z]"));
    const Ran enough = heddle({"witness", folder.file("far.std"), "1"});
    EXPECT_EQ(enough.status, 0) << enough.err;
    EXPECT_THAT(enough.out, HasSubstr("3: error: data race on 'x' [race 1, witnessed]"));
}

TEST(Cli, a_deadlock_is_shown_with_who_holds_what) {
    const TemporaryFolder folder;
    write_text(folder.file("cycle.std"), "T1|acq(a)|1\nT1|acq(b)|2\nT1|rel(b)|3\nT1|rel(a)|4\n"
                                         "T2|acq(b)|5\nT2|acq(a)|6\nT2|rel(a)|7\nT2|rel(b)|8\n");
    EXPECT_EQ(without_summary(heddle({"analyze", folder.file("cycle.std")}).out),
              R"(2: error: deadlock of 2 threads [deadlock 1, witnessed]
   lock 'b'  thread T1, holding 'a'   2
   lock 'a'  thread T2, holding 'b'   6
       T1                        T2
   1   lock a              @1
   2                             lock b              @5
   3 ▶ lock b, held by T2  @2 ◀
   4                           ▶ lock a, held by T1  @6 ◀
)");
}

TEST(Cli, analyze_prints_the_columns_of_the_papers) {
    const Ran ran = heddle({"analyze", "--stats", bank()});
    EXPECT_THAT(
        ran.out,
        AllOf(HasSubstr("trace: 3 threads, 26 events (8 of locks, 0 of waits and notifies), 1 lock, 0 "
                        "conditions, 2 shared variables, 4 transactions\n"),
              HasSubstr("           total      lsa      mhb      ucg     wits     time\n"
                        "race          13       11        4        2        2 "),
              HasSubstr("atomicity      6        4        3        1        0 "),
              HasSubstr("prefix extension 2 + 0"), HasSubstr("open 0"),
              HasSubstr("RWR 0, RWW 0, WRW 0, WWR 0, WWW 0")));
}

TEST(Cli, analyze_as_json) {
    const json report = json::parse(heddle({"analyze", "--stats", "--format", "json", bank()}).out);
    EXPECT_EQ(report["version"], 3);
    ASSERT_EQ(report["findings"].size(), 2U);
    for (const json& finding : report["findings"]) {
        EXPECT_EQ(finding["verdict"], "witnessed");
        EXPECT_EQ(finding["variable"], "acct->balance");
        for (const json& access : finding["accesses"]) EXPECT_EQ(access["file"], "bank.cpp");
    }
    const json& stats = report["stats"];
    EXPECT_GT(stats["race"]["total"], stats["race"]["ucg"]);
    EXPECT_EQ(stats["race"]["wits"], 2);
    EXPECT_TRUE(stats["race"]["time"].is_number());
    EXPECT_EQ(stats["trace"]["lock_events"], 8);
    EXPECT_EQ(stats["witnesses"]["prefix extension"]["witnessed"], 2);
}

TEST(Cli, a_witness_in_json_is_the_whole_schedule_and_its_story) {
    const json report = json::parse(heddle({"analyze", "--format", "json", bank()}).out);
    const json& witness = report["findings"][0]["witness"];
    EXPECT_EQ(witness["stage"], "prefix extension");
    std::uint64_t taken = witness["base"];
    for (const json& step : witness["steps"]) {
        EXPECT_EQ(step["event"], taken++); // this one happens to follow the run
        EXPECT_TRUE(step.contains("thread") && step.contains("op"));
        EXPECT_EQ(step["file"], "bank.cpp");
        EXPECT_GT(step["line"], 0);
    }
    EXPECT_EQ(taken, 6U);
    EXPECT_EQ(witness["context_switches"], witness["steps"].size() > 2 ? 1 : 0);
    const json& story = witness["story"];
    EXPECT_EQ(story["shown"], 6);
    EXPECT_EQ(story["threads"].size(), 3U);
    EXPECT_EQ(story["threads"][1]["held_at_end"][0]["name"], "acct->mu");
    EXPECT_EQ(story["rows"][0]["left_out"][0]["events"], 2);
    const json& last = story["rows"].back();
    EXPECT_EQ(last["words"], "read acct->balance");
    EXPECT_EQ(last["marked"], true);
    EXPECT_EQ(last["taken"], false);
    EXPECT_EQ(last["line"], 57);
    EXPECT_EQ(last["short_name"], "T2");
    const json& lock = *std::ranges::find_if(
        story["rows"], [](const json& row) { return row.value("words", "") == "lock acct->mu"; });
    EXPECT_EQ(lock["op"], "acq");
    EXPECT_EQ(lock["held"], json::array());
    EXPECT_EQ(lock["held_after"], json::array({"acct->mu"}));
}

TEST(Cli, witness_prints_one_finding) {
    const std::string all = heddle({"analyze", bank()}).out;
    const Ran one = heddle({"witness", bank(), "2"});
    EXPECT_EQ(one.status, 0) << one.err;
    EXPECT_THAT(all, HasSubstr(one.out));
    EXPECT_THAT(one.out, testing::StartsWith("bank.cpp:57:9: error: "));
    const Ran full = heddle({"witness", bank(), "2", "--full"});
    EXPECT_THAT(full.out,
                HasSubstr("  14                                     ▶ read acct->balance     :70 ◀\n"));
    const Ran observed = heddle({"witness", bank(), "2", "--observed"});
    EXPECT_THAT(observed.out, AllOf(HasSubstr("in the order of the recorded run"), HasSubstr("… 4 events")));
    const Ran markdown = heddle({"witness", bank(), "2", "--format", "markdown"});
    EXPECT_THAT(markdown.out,
                AllOf(HasSubstr("|  | T0 | T1 | T2 |\n| --: | --- | --- | --- |\n|  | … 2 events |  |  |\n"),
                      HasSubstr("| 1 | fork T1 bank.cpp:90 |  |  |\n| 2 | fork T2 :91 |  |  |\n"),
                      HasSubstr("| 11 |  |  | **▶ write acct-\\>balance ◀** :57 |\n"),
                      HasSubstr("- T1 holds 'acct-\\>mu' since bank.cpp:69\n")));
    const json report = json::parse(heddle({"witness", bank(), "2", "--observed", "--format", "json"}).out);
    EXPECT_EQ(report["version"], 3);
    EXPECT_EQ(report["id"], 2);
    EXPECT_EQ(report["witness"]["observed"]["shown"], report["witness"]["story"]["shown"]);
}

TEST(Cli, witness_says_what_is_wrong_with_the_question) {
    EXPECT_THAT(heddle({"witness", bank(), "3"}).err, HasSubstr("has no finding 3; there are 1 to 2"));
    EXPECT_THAT(heddle({"witness", bank(), "one"}).err, HasSubstr("'one' is not the id of a finding"));
    EXPECT_THAT(heddle({"witness"}).err, HasSubstr("of which finding?"));
    EXPECT_EQ(heddle({"witness", bank(), "3"}).status, 2);
    const TemporaryFolder folder;
    write_text(folder.file("fine.std"), "T0|w(x)|1\n");
    EXPECT_THAT(heddle({"witness", folder.file("fine.std"), "1"}).err, HasSubstr("has no findings"));
}

TEST(Cli, analyze_of_a_trace_without_bugs_finds_none) {
    const TemporaryFolder folder;
    write_text(folder.file("fine.std"),
               "T0|w(x)|1\nT0|fork(T1)|2\nT1|acq(m)|3\nT1|w(x)|4\nT1|rel(m)|5\nT0|join(T1)|6\nT0|r(x)|7\n");
    const Ran ran = heddle({"analyze", folder.file("fine.std")});
    EXPECT_EQ(ran.status, 0);
    EXPECT_THAT(ran.out, HasSubstr("0 races · 0 atomicity violations · 0 deadlocks · 7 events in "));
    EXPECT_EQ(heddle({"analyze", "--properties", "nonsense", folder.file("fine.std")}).status, 2);
    EXPECT_EQ(heddle({"analyze", folder.file("missing.std")}).status, 2);
}

TEST(Cli, analyze_says_the_same_with_any_number_of_threads) {
    const TemporaryFolder folder;
    ASSERT_EQ(
        heddle({"generate", "--preset", "realistic", "--events", "50000", "-o", folder.file("a.htr")}).status,
        0);
    const auto analyze = [&](const std::string& jobs) {
        return heddle(
            {"analyze", "--max-findings", "40", "--jobs", jobs, "--show-refuted", folder.file("a.htr")});
    };
    const Ran alone = analyze("1");
    EXPECT_EQ(alone.status, 1);
    const Ran four = analyze("4");
    EXPECT_EQ(without_summary(four.out), without_summary(alone.out));
}

TEST(Cli, analyze_tells_all_ways_when_asked) {
    const json report = json::parse(heddle({"analyze", "--all", "--format", "json", bank()}).out);
    for (const json& finding : report["findings"]) {
        ASSERT_FALSE(finding["ways"].empty());
        for (const json& way : finding["ways"]) EXPECT_EQ(way.size(), finding["accesses"].size());
    }
    EXPECT_THAT(heddle({"analyze", "--all", bank()}).out, HasSubstr("   way: "));
}

TEST(Cli, analyze_stops_at_its_limits_and_tells_what_it_knows) {
    const TemporaryFolder folder;
    ASSERT_EQ(heddle({"generate", "--preset", "realistic", "--events", "1000000", "-o", folder.file("a.htr")})
                  .status,
              0);
    const Ran late = heddle({"analyze", "--time-limit", "0.001", folder.file("a.htr")});
    EXPECT_THAT(late.out, HasSubstr("note: the time limit of 0.001 s was reached"));
    const Ran large = heddle({"analyze", "--memory-limit", "1", folder.file("a.htr")});
    EXPECT_THAT(large.out, HasSubstr("note: the memory limit of 1 MiB was reached"));
    const Ran many = heddle(
        {"analyze", "--no-witness", "--max-findings", "3", "--properties", "race", folder.file("a.htr")});
    EXPECT_THAT(many.out, AllOf(HasSubstr("note: race: looked at 3 candidates and not at "),
                                HasSubstr("3 possible races")));
}

TEST(Cli, analyze_without_a_file_needs_recordings) {
    const TemporaryFolder folder;
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.file(""));
    const Ran none = heddle({"analyze"});
    std::filesystem::create_directories(".heddle/traces");
    const Ran converted = heddle({"convert", bank(), ".heddle/traces/bank.htr"});
    const Ran found = heddle({"analyze"});
    const Ran witness = heddle({"witness", "1"});
    std::filesystem::copy(".heddle/traces/bank.htr", ".heddle/traces/other.htr");
    const Ran which = heddle({"witness", "1"});
    const Ran both = heddle({"analyze"});
    std::filesystem::current_path(before);
    EXPECT_EQ(none.status, 2);
    EXPECT_THAT(none.err, HasSubstr("there is none in .heddle/traces"));
    EXPECT_EQ(converted.status, 0);
    EXPECT_EQ(found.status, 1);
    EXPECT_EQ(witness.status, 0) << witness.err;
    EXPECT_EQ(which.status, 2);
    EXPECT_THAT(which.err, HasSubstr("which trace? .heddle/traces has .heddle/traces/bank.htr, "));
    EXPECT_THAT(both.out, HasSubstr(".heddle/traces/other.htr: 2 races · "));
}

TEST(Cli, generate_is_valid_and_repeatable) {
    const TemporaryFolder folder;
    for (const char* name : {"a.std", "b.std"}) {
        ASSERT_EQ(heddle({"generate", "--seed", "9", "--threads", "3", "--events", "500", "--conditions", "1",
                          "--nested", "off", "-o", folder.file(name)})
                      .status,
                  0);
    }
    EXPECT_EQ(test::read_bytes(folder.file("a.std")), test::read_bytes(folder.file("b.std")));
    const json info = json::parse(heddle({"info", "--json", folder.file("a.std")}).out);
    EXPECT_EQ(info["damage"]["total"], 0);
    EXPECT_EQ(info["threads"].size(), 3U);
}

TEST(Cli, generate_refuses_impossible_settings_by_name) {
    const TemporaryFolder folder;
    const Ran rate = heddle({"generate", "--race-rate", "7", "-o", folder.file("a.std")});
    EXPECT_EQ(rate.status, 2);
    EXPECT_THAT(rate.err, HasSubstr("race"));
    EXPECT_THAT(heddle({"generate", "--threads", "x", "-o", folder.file("a.std")}).err,
                HasSubstr("--threads takes"));
    EXPECT_THAT(heddle({"generate", "--threads", "-1", "-o", folder.file("a.std")}).err,
                HasSubstr("--threads takes"));
    EXPECT_FALSE(std::filesystem::exists(folder.file("a.std")));
}

TEST(Cli, output_to_a_full_disk_is_an_error) {
    const TemporaryFolder folder;
    const Ran ran = test::run_program(
        {"/bin/sh", "-c", std::string(HEDDLE_PROGRAM) + " info " + bank() + " > /dev/full"});
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.err, HasSubstr("No space left on device"));
}

} // namespace
} // namespace heddle
