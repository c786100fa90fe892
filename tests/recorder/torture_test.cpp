// Programs that ask much of a recorder: many threads, deep stacks, signals, other processes, sudden deaths.
// Each must run as it would without one, and leave a trace that breaks no rule.
#include "recorded.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::EndsWith;

std::size_t count(const Trace& trace, EventKind kind) {
    std::size_t result = 0;
    for (const EventView event : trace.events()) result += event.kind() == kind ? 1U : 0U;
    return result;
}

/// Over all acquisitions of locks.
std::size_t deepest_stack(const Trace& trace) {
    std::size_t deepest = 0;
    for (const EventView event : trace.events()) {
        if (event.kind() != EventKind::acquire) continue;
        std::size_t depth = 0;
        for (StackId at = event.stack(); at.valid(); at = trace.stacks()[at.value].caller) ++depth;
        deepest = std::max(deepest, depth);
    }
    return deepest;
}

/// For each compiler: runs the program, expects status 0 and a sound trace, and hands it to `look`.
template<typename Look>
void torture(const std::string& name, const std::vector<std::string>& arguments, const Look& look) {
    for (int i = 0; i < test::repetitions() && !testing::Test::HasFailure(); ++i) {
        for (const char* build : {"gcc-O1", "clang-O1"}) {
            SCOPED_TRACE(name + "." + build);
            std::vector<std::string> command = {std::string(HEDDLE_TORTURE_PROGRAMS) + "/" + name + "." +
                                                build};
            command.insert(command.end(), arguments.begin(), arguments.end());
            const test::Recorded recorded = test::record_program(command);
            EXPECT_EQ(recorded.ran.status, 0) << recorded.ran.err;
            EXPECT_EQ(recorded.ran.err, "");
            if (!recorded.loaded) continue;
            test::expect_sound(*recorded.loaded);
            look(recorded.loaded->trace);
        }
    }
}

TEST(Torture, two_thousand_threads_in_turn) {
    torture("threads_in_turn", {}, [](const Trace& trace) {
        EXPECT_EQ(trace.thread_count(), 2001U);
        EXPECT_EQ(count(trace, EventKind::fork), 2000U);
        EXPECT_EQ(count(trace, EventKind::join), 2000U);
        EXPECT_EQ(count(trace, EventKind::acquire), 2000U);
    });
}

TEST(Torture, two_hundred_threads_at_once) {
    torture("threads_at_once", {}, [](const Trace& trace) {
        EXPECT_EQ(trace.thread_count(), 201U);
        EXPECT_EQ(count(trace, EventKind::acquire), 2000U);
        EXPECT_EQ(count(trace, EventKind::barrier_leave), 400U);
    });
}

TEST(Torture, reads_that_leave_no_mark_agree_with_the_writes) {
    torture("read_by_many", {}, [](const Trace& trace) {
        EXPECT_EQ(count(trace, EventKind::write), 30U);
        EXPECT_GT(count(trace, EventKind::read), 30U);
    });
}

TEST(Torture, a_hundred_thousand_lock_operations_a_second) {
    const auto start = std::chrono::steady_clock::now();
    torture("lock_storm", {}, [](const Trace& trace) {
        EXPECT_EQ(count(trace, EventKind::acquire), 200'000U);
        EXPECT_EQ(count(trace, EventKind::release), 200'000U);
    });
    // 400,000 in each of two programs; reading the traces is part of the time.
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_LT(took.count(), 8.0 * test::repetitions());
}

TEST(Torture, no_wake_up_is_lost) {
    torture("conditions", {}, [](const Trace& trace) {
        EXPECT_GE(count(trace, EventKind::notify_all), 9001U);
        EXPECT_EQ(count(trace, EventKind::wait_pre), count(trace, EventKind::wait_post));
    });
}

TEST(Torture, deep_recursion) {
    torture("deep_recursion", {}, [](const Trace& trace) {
        EXPECT_EQ(count(trace, EventKind::acquire), 10U);
        EXPECT_EQ(count(trace, EventKind::write), 10U);
    });
}

TEST(Torture, exceptions_and_jumps_leave_no_frames_behind) {
    torture("unwinding", {}, [](const Trace& trace) {
        EXPECT_EQ(count(trace, EventKind::acquire), 150U);
        EXPECT_LT(deepest_stack(trace), 10U);
    });
}

TEST(Torture, main_leaves_first) {
    torture("main_leaves_first", {}, [](const Trace& trace) {
        EXPECT_EQ(trace.thread_count(), 3U);
        EXPECT_EQ(count(trace, EventKind::join), 1U);
    });
}

TEST(Torture, threads_outlive_main) {
    torture("threads_outlive_main", {}, [](const Trace& trace) {
        EXPECT_GE(trace.thread_count(), 9U);
        EXPECT_GT(count(trace, EventKind::acquire), 800U);
    });
}

TEST(Torture, threads_end_while_main_does) {
    torture("threads_end_with_main", {}, [](const Trace& trace) {
        EXPECT_EQ(trace.thread_count(), 41U);
        EXPECT_EQ(count(trace, EventKind::sem_post), 40U);
    });
}

TEST(Torture, signals_amid_lock_operations) {
    torture("signals_amid_locks", {}, [](const Trace& trace) {
        EXPECT_EQ(count(trace, EventKind::acquire), 12'000U);
        EXPECT_EQ(count(trace, EventKind::fork), 27U);
    });
}

TEST(Torture, signals_amid_waits) {
    torture("signals_amid_waits", {},
            [](const Trace& trace) { EXPECT_EQ(count(trace, EventKind::atomic_rmw), 12U); });
}

TEST(Torture, signals_amid_writes) {
    torture("signals_amid_writes", {}, [](const Trace& trace) {
        std::uint64_t last = 0;
        std::size_t without_value = 0;
        std::size_t signals = 0;
        for (const EventView event : trace.events()) {
            signals += event.kind() == EventKind::atomic_rmw ? 1U : 0U;
            if (event.kind() != EventKind::write) continue;
            if (!event.has_value()) {
                ++without_value;
                continue;
            }
            EXPECT_GT(trace.value_of(event), last); // else it is what the memory held before
            last = trace.value_of(event);
        }
        EXPECT_LE(without_value, 2 * signals);
    });
}

TEST(Torture, an_instrumented_library_comes_and_goes) {
    torture("loads_library", {std::string(HEDDLE_TORTURE_PROGRAMS) + "/library.so"}, [](const Trace& trace) {
        EXPECT_EQ(count(trace, EventKind::acquire), 4U);
        std::vector<std::string> modules;
        for (const Module& module : trace.modules()) modules.emplace_back(trace.string(module.path));
        EXPECT_THAT(modules, Contains(EndsWith("/library.so")));
        for (const EventView event : trace.events()) {
            if (event.kind() != EventKind::write) continue;
            const Place& place = trace.places()[trace.place_of(event.stack()).value];
            ASSERT_TRUE(place.module.valid());
            EXPECT_THAT(std::string(trace.string(trace.modules()[place.module.value].path)),
                        EndsWith("/library.so"));
        }
    });
}

// --- sudden deaths --------------------------------------------------------------------------------------

struct Death {
    std::string how;
    int status;
};

class Deaths : public testing::TestWithParam<Death> {};

TEST_P(Deaths, leave_a_trace_that_is_valid_up_to_that_moment) {
    for (int i = 0; i < test::repetitions() && !HasFailure(); ++i) {
        for (const char* build : {"gcc-O1", "clang-O1"}) {
            SCOPED_TRACE(build);
            const test::Recorded recorded = test::record_program(
                {std::string(HEDDLE_TORTURE_PROGRAMS) + "/dies." + build, GetParam().how});
            EXPECT_EQ(recorded.ran.status, GetParam().status) << recorded.ran.err;
            if (!recorded.loaded) continue;
            for (const Damage& damage : recorded.loaded->damage.kept()) {
                EXPECT_EQ(damage.kind, DamageKind::incomplete) << damage.text();
            }
            // Each of two threads had 50,000 rounds behind it, of which one buffer may be lost. What the
            // other did since then is left out with it.
            EXPECT_GT(count(recorded.loaded->trace, EventKind::acquire), 30'000U);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, Deaths,
                         testing::Values(Death{"kill", 128 + SIGKILL}, Death{"kill_in_poll", 128 + SIGKILL},
                                         Death{"abort", 128 + SIGABRT}, Death{"segfault", 128 + SIGSEGV},
                                         Death{"terminate", 128 + SIGTERM}, Death{"exit", 7}),
                         [](const auto& about) { return about.param.how; });

// --- several processes ----------------------------------------------------------------------------------

/// Records into a folder of its own and loads every trace that is left there.
std::vector<LoadedTrace> record_family(const std::vector<std::string>& command,
                                       const std::vector<std::string>& options = {}) {
    const test::TemporaryFolder folder;
    std::vector<std::string> words = {HEDDLE_PROGRAM, "record", "--quiet", "-o", folder.file("%n.htr")};
    words.insert(words.end(), options.begin(), options.end());
    words.push_back("--");
    words.insert(words.end(), command.begin(), command.end());
    const test::Ran ran = test::run_program(words);
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    std::vector<LoadedTrace> traces;
    for (const auto& entry : fs::directory_iterator(folder.file("."))) {
        auto loaded = load_trace(entry.path().string());
        if (!loaded) {
            ADD_FAILURE() << loaded.error().message;
            continue;
        }
        SCOPED_TRACE(entry.path().string());
        test::expect_sound(*loaded);
        traces.push_back(std::move(*loaded));
    }
    return traces;
}

TEST(Processes, children_of_a_fork_among_threads_have_traces_of_their_own) {
    for (int i = 0; i < test::repetitions() && !HasFailure(); ++i) {
        for (const char* build : {"gcc-O1", "clang-O1"}) {
            const auto traces =
                record_family({std::string(HEDDLE_TORTURE_PROGRAMS) + "/fork_among_threads." + build});
            std::map<std::size_t, int> by_threads;
            for (const LoadedTrace& one : traces) ++by_threads[one.trace.thread_count()];
            // Five children, each main and two; the parent, main and three.
            EXPECT_EQ(by_threads, (std::map<std::size_t, int>{{3, 5}, {4, 1}}));
        }
    }
}

TEST(Processes, that_show_a_title_are_recorded_under_their_name) {
    const test::TemporaryFolder folder;
    const test::Ran ran = test::run_program({HEDDLE_PROGRAM, "record", "-o", folder.file("%n.htr"), "--",
                                             std::string(HEDDLE_TORTURE_PROGRAMS) + "/shows_title.gcc-O1"});
    EXPECT_EQ(ran.status, 0);
    EXPECT_TRUE(fs::exists(folder.file("shows_title.gcc-O1.htr")));
    EXPECT_THAT(ran.err, testing::HasSubstr("[heddle] shows_title.gcc-O1: 2 threads"));
    EXPECT_THAT(ran.err, testing::HasSubstr("shows_title.gcc-O1.htr"));
    const auto files = std::distance(fs::directory_iterator(folder.file(".")), fs::directory_iterator{});
    EXPECT_EQ(files, 2); // the child's as well
}

class Starts : public testing::TestWithParam<std::string> {};

TEST_P(Starts, give_the_other_program_a_trace_of_its_own) {
    const std::string other = std::string(HEDDLE_TORTURE_PROGRAMS) + "/threads_at_once.gcc-O1";
    const std::vector<std::string> command = {std::string(HEDDLE_TORTURE_PROGRAMS) + "/starts_others.gcc-O1",
                                              GetParam(), other};
    std::map<std::size_t, int> by_threads;
    for (const LoadedTrace& one : record_family(command)) ++by_threads[one.trace.thread_count()];
    EXPECT_EQ(by_threads[201], 1);
    EXPECT_EQ(by_threads[2], 1);
}

TEST_P(Starts, do_not_when_children_are_not_followed) {
    const std::string other = std::string(HEDDLE_TORTURE_PROGRAMS) + "/threads_at_once.gcc-O1";
    const std::vector<std::string> command = {std::string(HEDDLE_TORTURE_PROGRAMS) + "/starts_others.gcc-O1",
                                              GetParam(), other};
    const auto traces = record_family(command, {"--no-follow"});
    ASSERT_EQ(traces.size(), 1U);
    EXPECT_EQ(traces[0].trace.thread_count(), 2U);
}

INSTANTIATE_TEST_SUITE_P(All, Starts,
                         testing::Values("fork", "vfork", "spawn", "system", "execv", "execve", "execvp",
                                         "execvpe", "execl", "execlp", "execle", "fexecve", "execveat"),
                         [](const auto& about) { return about.param; });

} // namespace
} // namespace heddle
