// What can go wrong between a trace and the program it was recorded of: each is explained, nothing hangs, and
// nothing is left behind.
#include "daemon/replay/replay.h"
#include "replaying.h"
#include "traces/load.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace heddle::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

std::string program(const std::string& name) {
    return std::string(HEDDLE_REPLAY_PROGRAMS) + "/" + name + ".gcc-O1";
}

/// Whether it comes true within a time that is long for any machine.
template<typename Condition>
bool comes_true(Condition&& condition) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > until) return false;
        std::this_thread::yield();
    }
    return true;
}

/// Processes that run a binary.
std::vector<pid_t> processes_of(const std::string& binary) {
    std::vector<pid_t> found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        std::error_code error;
        if (fs::read_symlink(entry.path() / "exe", error) == binary && !error)
            found.push_back(std::stoi(entry.path().filename().string()));
    }
    return found;
}

/// Where a line of a program's source stands.
int line_of(const std::string& source, const std::string& text) {
    std::ifstream file(std::string(HEDDLE_REPLAY_SOURCES) + "/" + source);
    int number = 1;
    for (std::string line; std::getline(file, line); ++number) {
        if (line.find(text) != std::string::npos) return number;
    }
    return 0;
}

class Difficulty : public testing::Test {
  protected:
    /// A copy of the program, which a test may do away with, and a trace of it.
    void recorded(const std::string& name, const std::vector<std::string>& arguments = {}) {
        fs::copy_file(program(name), binary_);
        std::vector<std::string> command = {binary_};
        command.insert(command.end(), arguments.begin(), arguments.end());
        ASSERT_TRUE(record(command, trace_));
        ASSERT_EQ(findings_in(trace_).size(), 1U);
    }
    Ran replayed(std::vector<std::string> more = {}) {
        std::vector<std::string> words = {"replay", "1", trace_, "--attempts", "1"};
        words.insert(words.end(), more.begin(), more.end());
        return heddle(words);
    }

    TemporaryFolder folder_;
    std::string binary_ = folder_.file("program");
    std::string trace_ = folder_.file("run.htr");
};

TEST_F(Difficulty, none) {
    ASSERT_NO_FATAL_FAILURE(recorded("asks_first", {"race"}));
    const Ran ran = replayed();
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("data race on 'shared' [race 1, confirmed] in attempt 1"));
    EXPECT_TRUE(fs::exists(trace_ + ".replay.json"));
    EXPECT_EQ(findings_in(trace_)[0].at("verdict"), "confirmed");
    EXPECT_THAT(heddle({"analyze", trace_}).out,
                HasSubstr("error: data race on 'shared' [race 1, confirmed]"));
}

TEST_F(Difficulty, a_result_is_not_that_of_the_next_recording) {
    ASSERT_NO_FATAL_FAILURE(recorded("asks_first", {"race"}));
    ASSERT_EQ(replayed().status, 0);
    ASSERT_TRUE(record({binary_, "race"}, trace_));
    EXPECT_EQ(findings_in(trace_)[0].at("verdict"), "witnessed");
}

TEST_F(Difficulty, there_is_no_such_finding) {
    ASSERT_NO_FATAL_FAILURE(recorded("asks_first", {"race"}));
    const Ran ran = heddle({"replay", "2", trace_});
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.err, HasSubstr("has no finding 2; there is only 1"));
    EXPECT_EQ(heddle({"replay", "first", trace_}).status, 2);
}

TEST_F(Difficulty, the_trace_is_none) {
    std::ofstream(trace_) << "nothing that was recorded\x01\x02";
    const Ran ran = replayed();
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.err, HasSubstr(trace_));
}

TEST_F(Difficulty, the_trace_has_no_code) {
    std::ofstream(trace_) << "T1|w(x)|1\nT2|w(x)|2\n";
    const Ran ran = replayed({"--", program("asks_first")});
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.err, HasSubstr("cannot be told from others when the program runs again"));
}

TEST_F(Difficulty, the_program_was_rebuilt) {
    ASSERT_NO_FATAL_FAILURE(recorded("asks_first", {"race"}));
    fs::copy_file(program("free_runner"), binary_, fs::copy_options::overwrite_existing);
    const Ran ran = replayed();
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.err, HasSubstr("was rebuilt since it was recorded"));
    const Ran named = replayed({"--", binary_, "race"}); // the recorder sees it, too
    EXPECT_EQ(named.status, 2);
    EXPECT_THAT(named.err, HasSubstr("is another build than the one that was recorded"));
}

TEST_F(Difficulty, the_program_is_gone) {
    ASSERT_NO_FATAL_FAILURE(recorded("asks_first", {"race"}));
    fs::remove(binary_);
    const Ran ran = replayed();
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.err, HasSubstr(binary_));
}

TEST_F(Difficulty, the_command_is_another_program) {
    ASSERT_NO_FATAL_FAILURE(recorded("asks_first", {"race"}));
    const Ran ran = replayed({"--", "/bin/true"});
    EXPECT_EQ(ran.status, 1) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("no process of it ran " + binary_));
}

TEST_F(Difficulty, the_program_needs_other_arguments) {
    ASSERT_NO_FATAL_FAILURE(recorded("asks_first", {"race"}));
    const Ran wrong = replayed({"--", binary_, "nothing"});
    EXPECT_EQ(wrong.status, 1);
    EXPECT_THAT(wrong.err,
                HasSubstr("the program ended with status 4 before all threads came to their steps"));
    EXPECT_EQ(replayed({"--", binary_, "race"}).status, 0);
}

TEST_F(Difficulty, the_program_reads_its_input) {
    const std::string input = folder_.file("input");
    std::ofstream(input) << "race\n";
    fs::copy_file(program("asks_first"), binary_);
    ASSERT_EQ(heddle({"record", "--quiet", "--anyway", "--output", trace_, "--", "/bin/sh", "-c",
                      "exec " + binary_ + " < " + input})
                  .status,
              0);
    const Ran without = replayed();
    EXPECT_EQ(without.status, 1);
    EXPECT_THAT(without.err, HasSubstr("ended with status 3"));
    EXPECT_THAT(without.err, HasSubstr("its input was empty (--stdin FILE gives it one)"));
    EXPECT_EQ(replayed({"--stdin", input}).status, 0);
}

TEST_F(Difficulty, the_program_does_not_come_to_an_end) {
    const std::string mark = folder_.file("mark");
    ASSERT_NO_FATAL_FAILURE(recorded("leaves_children", {mark}));
    std::ofstream(mark) << "now";
    const Ran ran = replayed({"--timeout", "0.3"});
    EXPECT_EQ(ran.status, 1);
    EXPECT_THAT(ran.err, HasSubstr("the program was ended after"));
    EXPECT_THAT(processes_of(binary_), IsEmpty());
}

TEST_F(Difficulty, the_user_stops_it) {
    const std::string mark = folder_.file("mark");
    ASSERT_NO_FATAL_FAILURE(recorded("leaves_children", {mark}));
    std::ofstream(mark) << "now";
    for (const int number : {SIGINT, SIGTERM, SIGKILL}) {
        const pid_t heddle = fork();
        if (heddle == 0) {
            execl(HEDDLE_PROGRAM, HEDDLE_PROGRAM, "replay", "1", trace_.c_str(), "--quiet", "--timeout", "60",
                  nullptr);
            _exit(127);
        }
        ASSERT_TRUE(comes_true([&] { return processes_of(binary_).size() == 2; }));
        ASSERT_EQ(kill(heddle, number), 0);
        int status = 0;
        ASSERT_EQ(waitpid(heddle, &status, 0), heddle);
        if (number != SIGKILL) {
            EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2);
            EXPECT_THAT(processes_of(binary_), IsEmpty());
            continue;
        }
        // The program itself dies with heddle; nobody is there to look for what has left it.
        EXPECT_TRUE(comes_true([&] { return processes_of(binary_).size() <= 1; }));
        for (const pid_t left : processes_of(binary_)) kill(left, SIGKILL);
    }
}

TEST_F(Difficulty, somebody_sleeps_for_longer_than_all_may_wait) {
    ASSERT_TRUE(record({program("sleeps_first")}, trace_));
    const auto loaded = load_trace(trace_);
    ASSERT_TRUE(loaded);
    std::vector<EventId> writes;
    for (const EventView event : loaded->trace.events()) {
        if (event.kind() == EventKind::write) writes.push_back(event.id());
    }
    ASSERT_EQ(writes.size(), 2U);
    const auto done = replay::replay({.recorded = &loaded->trace,
                                      .told = &loaded->trace,
                                      .property = Race{writes[0], writes[1]},
                                      .schedule = {.base = writes[0], .steps = {}},
                                      .recorder = HEDDLE_RECORDER_FOLDER,
                                      .attempts = 1,
                                      .stall = std::chrono::milliseconds(100)});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_TRUE(done->confirmed) << done->explanation;
}

TEST_F(Difficulty, whoever_waits_for_something_outside_has_as_long_as_the_recorded_run) {
    ASSERT_TRUE(record({program("sleeps_first")}, trace_)); // which takes a second
    const std::string plan = folder_.file("plan");
    EXPECT_EQ(replayed({"--keep-plan", plan}).status, 0);
    std::ifstream file(plan);
    std::string word;
    while (file >> word && word != "limits") {
    }
    long stall_ms = 0;
    ASSERT_TRUE(file >> stall_ms);
    EXPECT_GE(stall_ms, 3'000);
}

TEST_F(Difficulty, a_program_that_was_confirmed_and_then_hangs_is_said_to) {
    ASSERT_NO_FATAL_FAILURE(recorded("hangs_when_told"));
    const Ran ran = replayed({"--timeout", "1", "--", "/usr/bin/env", "HANG=1", binary_});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("the program then did not come to an end in time, and was ended"));
    EXPECT_THAT(processes_of(binary_), IsEmpty());
}

TEST_F(Difficulty, the_plan_is_none) {
    const std::string plan = folder_.file("plan");
    std::ofstream(plan) << "heddle-replay-plan 1\nviolation race\nstep 0 read stand 0 1 0+0 -\n";
    const Ran ran = run_program({"/usr/bin/env", "HEDDLE_REPLAY=" + plan,
                                 std::string("LD_LIBRARY_PATH=") + HEDDLE_RECORDER_FOLDER,
                                 program("asks_first"), "race"});
    EXPECT_EQ(ran.status, 125);
    EXPECT_THAT(ran.err, HasSubstr("line 3: the step's thread is not in the plan"));
}

TEST_F(Difficulty, others_run_freely) {
    fs::copy_file(program("free_runner"), binary_);
    ASSERT_TRUE(record({binary_}, trace_, 7));
    const Ran ran = replayed();
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("the program then ended with status 7"));
}

TEST_F(Difficulty, a_crowd_that_the_schedule_does_not_name_comes_to_its_end_meanwhile) {
    ASSERT_NO_FATAL_FAILURE(recorded("crowd"));
    const Ran ran = replayed();
    EXPECT_EQ(ran.status, 0) << ran.err;
}

TEST_F(Difficulty, a_thread_comes_to_the_bug_on_another_way) {
    // The way is long in the recording, and ends where the short one of the schedule does. On a busy machine
    // a thread may go the short one already when it is recorded.
    std::string race;
    for (int runs = 0; runs < 10 && race.empty(); ++runs) {
        ASSERT_TRUE(record({program("walks_a_list")}, trace_));
        const nlohmann::json found = findings_in(trace_);
        if (found.size() < 2) continue;
        for (const nlohmann::json& finding : found) {
            if (finding.at("accesses")[0].at("target") != "entries[0].hits") continue;
            race = std::to_string(finding.at("id").get<int>());
        }
    }
    const Ran ran = heddle({"replay", race, trace_, "--attempts", "1", "--times", "5", "--format", "json"});
    EXPECT_EQ(nlohmann::json::parse(ran.out).at("times").at("confirmed"), 5) << ran.out << ran.err;
}

TEST_F(Difficulty, a_debugger_finds_the_threads_at_the_bug) {
    ASSERT_NO_FATAL_FAILURE(recorded("asks_first", {"race"}));
    int said[2] = {-1, -1};
    ASSERT_EQ(pipe(said), 0);
    const pid_t heddle = fork();
    if (heddle == 0) {
        dup2(said[1], STDERR_FILENO);
        execl(HEDDLE_PROGRAM, HEDDLE_PROGRAM, "replay", "1", trace_.c_str(), "--gdb", nullptr);
        _exit(127);
    }
    close(said[1]);
    std::string text;
    char part[256];
    while (text.find("stands at the bug") == std::string::npos) {
        const ssize_t size = read(said[0], part, sizeof(part));
        ASSERT_GT(size, 0) << text;
        text.append(part, static_cast<std::size_t>(size));
    }
    const std::vector<pid_t> standing = processes_of(binary_);
    ASSERT_EQ(standing.size(), 1U);
    EXPECT_THAT(text, HasSubstr("gdb -p " + std::to_string(standing[0])));
    const Ran gdb = run_program({"/usr/bin/timeout", "60", "gdb", "-batch", "-nx", "-p",
                                 std::to_string(standing[0]), "-ex", "thread apply all backtrace"});
    // One thread each at the lines of the witness, about to do what they say.
    for (const std::string line : {"shared = 1;", "shared = 2;"})
        EXPECT_THAT(gdb.out, HasSubstr("asks_first.c:" + std::to_string(line_of("asks_first.c", line))));
    kill(heddle, SIGINT);
    int status = 0;
    ASSERT_EQ(waitpid(heddle, &status, 0), heddle);
    close(said[0]);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT_THAT(processes_of(binary_), IsEmpty());
}

} // namespace
} // namespace heddle::test
