// `heddle record` as a user types it: what it says, what it refuses, what it passes on.
#include "run_program.h"
#include "test_files.h"

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace heddle {
namespace {

namespace fs = std::filesystem;
using test::Ran;
using test::TemporaryFolder;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string program(const std::string& name) {
    return std::string(HEDDLE_TORTURE_PROGRAMS) + "/" + name;
}

Ran record(std::vector<std::string> words) {
    words.insert(words.begin(), {HEDDLE_PROGRAM, "record"});
    return test::run_program(std::move(words));
}

/// Runs a shell script; "$heddle" is the program.
Ran shell(const std::string& script) {
    return test::run_program({"/bin/sh", "-c", "heddle='" HEDDLE_PROGRAM "'\n" + script});
}

std::string script_file(const TemporaryFolder& folder, const std::string& text) {
    const std::string path = folder.file("script");
    test::write_bytes(path, {text.begin(), text.end()});
    chmod(path.c_str(), 0700);
    return path;
}

TEST(RecordCommand, says_what_was_recorded_and_where) {
    const TemporaryFolder folder;
    const Ran ran =
        shell("cd '" + folder.file(".") + "' && \"$heddle\" record -- " + program("threads_at_once.gcc-O1"));
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err,
                ContainsRegex("\\[heddle\\] threads_at_once.gcc-O1: 201 threads, [0-9,]+ events kept of "
                              "[0-9,]+, [0-9.]+ [KM]iB\n"
                              "\\[heddle\\] .heddle/traces/threads_at_once.gcc-O1.htr\n"));
    EXPECT_TRUE(fs::exists(folder.file(".heddle/traces/threads_at_once.gcc-O1.htr")));
}

TEST(RecordCommand, takes_a_name_or_a_file_for_the_trace) {
    const TemporaryFolder folder;
    const std::string where = "cd '" + folder.file(".") + "' && \"$heddle\" record ";
    EXPECT_EQ(shell(where + "-q --name 'my 100%run' -- " + program("threads_at_once.gcc-O1")).err, "");
    EXPECT_TRUE(fs::exists(folder.file(".heddle/traces/my 100%run.htr")));
    EXPECT_EQ(shell(where + "-q -o deep/down/%n-%p.htr -- " + program("threads_at_once.gcc-O1")).err, "");
    ASSERT_TRUE(fs::exists(folder.file("deep/down")));
    const std::string made = fs::directory_iterator(folder.file("deep/down"))->path().filename().string();
    EXPECT_THAT(made, ContainsRegex("^threads_at_once.gcc-O1-[0-9]+.htr$"));
}

TEST(RecordCommand, passes_on_streams_arguments_and_status) {
    const TemporaryFolder folder;
    const std::string script =
        script_file(folder, "#!/bin/sh\nread line\necho \"out $line $1 $2\"\necho err >&2\nexit 42\n");
    const Ran ran = shell("echo given | \"$heddle\" record -q -o '" + folder.file("t.htr") + "' -- '" +
                          script + "' --flag '-o x'");
    EXPECT_EQ(ran.status, 42);
    EXPECT_EQ(ran.out, "out given --flag -o x\n");
    EXPECT_THAT(ran.err, StartsWith("err\n"));
}

TEST(RecordCommand, says_when_a_script_started_nothing_that_can_be_recorded) {
    const TemporaryFolder folder;
    const Ran nothing =
        record({"-o", folder.file("t.htr"), "--", script_file(folder, "#!/bin/sh\nexit 0\n")});
    EXPECT_EQ(nothing.status, 0);
    EXPECT_THAT(nothing.err, HasSubstr("nothing was recorded"));
    const Ran something =
        record({"-o", folder.file("t.htr"), "--",
                script_file(folder, "#!/bin/sh\n" + program("threads_at_once.gcc-O1") + "\n")});
    EXPECT_EQ(something.status, 0);
    EXPECT_THAT(something.err, AllOf(HasSubstr("201 threads"), Not(HasSubstr("nothing was recorded"))));
}

TEST(RecordCommand, tells_which_signal_killed_the_program) {
    const TemporaryFolder folder;
    const Ran ran = record({"-o", folder.file("t.htr"), "--", program("dies.gcc-O1"), "kill"});
    EXPECT_EQ(ran.status, 128 + SIGKILL);
    EXPECT_THAT(ran.err, AllOf(HasSubstr("dies.gcc-O1 was killed by signal 9 (Killed)"), HasSubstr("t.htr")));
}

TEST(RecordCommand, passes_signals_on) {
    const TemporaryFolder folder;
    const std::string script = script_file(
        folder, "#!/bin/sh\ntrap 'echo told; exit 3' TERM\nkill -TERM $PPID\nwhile :; do sleep 0.01; done\n");
    const Ran ran = record({"-o", folder.file("t.htr"), "--", script});
    EXPECT_EQ(ran.out, "told\n");
    EXPECT_EQ(ran.status, 3);
}

// --- what cannot be recorded ----------------------------------------------------------------------------

TEST(RecordCommand, knows_what_is_no_program) {
    const TemporaryFolder folder;
    EXPECT_EQ(record({"--", "there-is-no-such-program"}).status, 127);
    const Ran absent = record({"--", folder.file("absent")});
    EXPECT_EQ(absent.status, 127);
    EXPECT_THAT(absent.err, HasSubstr("no such file"));
    test::write_bytes(folder.file("data"), {1, 2, 3, 4, 5});
    const Ran data = record({"--", folder.file("data")});
    EXPECT_EQ(data.status, 126);
    EXPECT_THAT(data.err, HasSubstr("chmod +x"));
    chmod(folder.file("data").c_str(), 0700);
    const Ran nonsense = record({"--", folder.file("data")});
    EXPECT_EQ(nonsense.status, 125);
    EXPECT_THAT(nonsense.err, HasSubstr("neither a program"));
    EXPECT_EQ(record({"--", "/"}).status, 126);
    EXPECT_EQ(record({}).status, 2);
    EXPECT_EQ(record({"--values=maybe", "--", program("dies.gcc-O1")}).status, 2);
}

TEST(RecordCommand, tells_what_to_add_to_a_build_without_instrumentation) {
    const Ran ran = record({"--", program("plain")});
    EXPECT_EQ(ran.status, 125);
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, AllOf(HasSubstr("has no instrumentation"), HasSubstr("CMake "), HasSubstr("Meson "),
                               HasSubstr("Make "), HasSubstr("Bazel "), HasSubstr("-fsanitize=thread")));
}

TEST(RecordCommand, runs_a_build_without_instrumentation_when_told_to) {
    const TemporaryFolder folder;
    const Ran ran = record({"--anyway", "-o", folder.file("t.htr"), "--", program("plain")});
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.out, "ran\n");
    EXPECT_THAT(ran.err, HasSubstr("nothing was recorded"));
}

TEST(RecordCommand, refuses_static_programs_and_other_runtimes) {
    const Ran fixed = record({"--", program("plain_static")});
    EXPECT_EQ(fixed.status, 125);
    EXPECT_THAT(fixed.err, HasSubstr("leave out -static"));
    for (const char* name : {"own_runtime.gcc", "own_runtime.clang"}) {
        const Ran own = record({"--", program(name)});
        EXPECT_EQ(own.status, 125) << name;
        EXPECT_EQ(own.out, "") << name;
        EXPECT_THAT(own.err, AllOf(HasSubstr("own runtime is linked into it"), HasSubstr("-shared-libsan"),
                                   HasSubstr("-static-libtsan"), HasSubstr("heddle_instrument")));
    }
}

TEST(RecordCommand, takes_the_place_of_clangs_shared_runtime) {
    const TemporaryFolder folder;
    const Ran ran = record({"-o", folder.file("t.htr"), "--", program("shared_runtime.clang")});
    EXPECT_EQ(ran.status, 0);
    EXPECT_THAT(ran.err, HasSubstr("201 threads,"));
}

TEST(RecordCommand, sees_instrumentation_in_the_libraries_of_a_program) {
    const TemporaryFolder folder;
    const Ran ran = record({"-o", folder.file("t.htr"), "--", program("plain_with_library")});
    EXPECT_EQ(ran.status, 0);
    EXPECT_THAT(ran.err, HasSubstr("1 thread,"));
}

TEST(RecordCommand, finds_the_recorder_or_says_what_to_do) {
    const TemporaryFolder folder;
    const Ran ran = record({"--recorder", folder.file("."), "--", program("dies.gcc-O1"), "exit"});
    EXPECT_EQ(ran.status, 125);
    EXPECT_THAT(ran.err, HasSubstr("which --recorder names, does not hold libtsan.so.2"));
}

// --- what goes wrong while recording --------------------------------------------------------------------

std::size_t occurrences(const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
    return count;
}

TEST(RecordCommand, a_folder_that_cannot_be_written_is_told_once) {
    const Ran ran = record({"-o", "/dev/null/folder/t.htr", "--", program("lock_storm.gcc-O1")});
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(occurrences(ran.err, "/dev/null/folder"), 1U) << ran.err;
}

TEST(RecordCommand, a_full_disk_is_told_once_and_the_trace_so_far_is_valid) {
    for (const char* signal : {"trap '' XFSZ; ", ""}) {
        const TemporaryFolder folder;
        const std::string path = folder.file("t.htr");
        // A limit on the size of files (in blocks of 512 bytes) fails as a full disk does, with another
        // error.
        const Ran ran = shell(std::string(signal) + "ulimit -f 64; \"$heddle\" record -o '" + path + "' -- " +
                              program("lock_storm.gcc-O1"));
        EXPECT_EQ(ran.status, 0) << ran.err;
        EXPECT_EQ(occurrences(ran.err, "writing stopped: "), 1U) << ran.err;
        const Ran info = test::run_program({HEDDLE_PROGRAM, "info", "--json", path});
        EXPECT_LE(info.status, 1) << info.err;
        EXPECT_THAT(info.out, Not(HasSubstr("\"corrupt\"")));
        EXPECT_THAT(info.out, Not(HasSubstr("\"rule\"")));
    }
    const Ran full = record({"-o", "/dev/full", "--", program("lock_storm.gcc-O1")});
    EXPECT_EQ(full.status, 0) << full.err;
    EXPECT_EQ(occurrences(full.err, "No space left on device"), 1U) << full.err;
}

TEST(RecordCommand, stops_recording_at_the_size_limit) {
    const TemporaryFolder folder;
    const std::string path = folder.file("t.htr");
    const Ran ran = record({"--max-size", "100K", "-o", path, "--", program("lock_storm.gcc-O1")});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("size"));
    // What the four threads had in their buffers at that moment still belongs to it.
    EXPECT_LE(fs::file_size(path), 200U << 10U);
    const Ran info = test::run_program({HEDDLE_PROGRAM, "info", path});
    EXPECT_LE(info.status, 1) << info.err;
    EXPECT_THAT(info.out, HasSubstr("acquire"));
}

TEST(RecordCommand, values_can_be_left_out) {
    const TemporaryFolder folder;
    const std::string path = folder.file("t.htr");
    EXPECT_EQ(record({"-q", "--values=off", "-o", path, "--", program("threads_at_once.gcc-O1")}).status, 0);
    EXPECT_THAT(test::run_program({HEDDLE_PROGRAM, "info", "--json", path}).out,
                HasSubstr("\"accesses_with_value\": 0"));
}

} // namespace
} // namespace heddle
