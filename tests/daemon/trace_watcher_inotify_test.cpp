// How soon the watcher tells, how little it does meanwhile, and what it does when inotify does not suffice.
#include "daemon/watch/path_walk.h"
#include "watching.h"

#include <fstream>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

namespace heddle {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using test::append_text;
using test::Watching;
using testing::ElementsAre;
using testing::HasSubstr;
using watch::ChangeKind;

TEST(TraceWatcherInotify, writers_that_close_are_told_with_all_they_wrote) {
    Watching watching({.quiet = std::chrono::hours(1)});
    const std::string path = watching.at("a.htr");
    watching.watcher.watch(watching.at(""));
    ASSERT_TRUE(watching.until([&] { return !watching.watcher.scanning(); }));
    {
        std::ofstream out(path);
        out << "1" << std::flush;
        ASSERT_TRUE(watching.until_told(path, ChangeKind::appeared));
        out << "2" << std::flush;
    }
    // The quiet time is not over, but a close does not wait for it.
    ASSERT_TRUE(watching.until_told(path, ChangeKind::closed_by_writer));
    EXPECT_EQ(watching.changes.back().stamp.size, 2U);
    EXPECT_EQ(watching.told(path, ChangeKind::grew), 0U) << "the close told it";
}

TEST(TraceWatcherInotify, much_writing_is_told_seldom_but_its_end_is_told) {
    Watching watching({.quiet = milliseconds(50)});
    const std::string path = watching.at("a.htr");
    append_text(path, "0");
    watching.watcher.watch(watching.at(""));
    ASSERT_TRUE(watching.until_told(path, ChangeKind::appeared));
    const auto started = std::chrono::steady_clock::now();
    std::ofstream out(path, std::ios::app);
    for (int i = 0; i < 20'000; ++i) {
        out << "x" << std::flush;
        watching.io.restart();
        watching.io.poll();
    }
    ASSERT_TRUE(watching.until([&] { return watching.known()[path].size == 20'001; }));
    const auto passed = std::chrono::steady_clock::now() - started;
    EXPECT_GE(watching.told(path, ChangeKind::grew), 1U);
    EXPECT_LE(watching.told(path, ChangeKind::grew),
              2U + static_cast<std::size_t>(passed / milliseconds(50)));
}

TEST(TraceWatcherInotify, the_first_write_after_a_pause_is_told_at_once) {
    Watching watching({.quiet = milliseconds(1)});
    const std::string path = watching.at("a.htr");
    append_text(path, "0");
    watching.watcher.watch(watching.at(""));
    ASSERT_TRUE(watching.until_told(path, ChangeKind::appeared));
    const auto pause = std::chrono::steady_clock::now() + milliseconds(2);
    ASSERT_TRUE(watching.until(
        [&] { return !watching.watcher.scanning() && std::chrono::steady_clock::now() > pause; }));
    std::ofstream out(path, std::ios::app);
    out << "1" << std::flush;
    watching.io.restart();
    watching.io.poll_one(); // one turn of the loop, and no timer
    EXPECT_EQ(watching.told(path, ChangeKind::grew), 1U);
}

TEST(TraceWatcherInotify, while_nothing_happens_nothing_runs) {
    Watching watching;
    const std::string folder =
        watching.at("project/traces"); // others are busy in the folder of temporary files
    fs::create_directories(folder);
    append_text(folder + "/a.htr", "1");
    watching.watcher.watch(folder);
    watching.watcher.watch(watching.at("project/not/there/yet"));
    append_text(folder + "/a.htr", "2");
    ASSERT_TRUE(watching.until_known_is({folder}));
    watching.io.restart();
    watching.io.run_for(milliseconds(60)); // the last quiet time runs out
    watching.io.restart();
    EXPECT_EQ(watching.io.run_for(milliseconds(300)), 0U);
}

TEST(TraceWatcherInotify, when_the_queue_overflows_everything_is_looked_at_again) {
    std::size_t most = 0;
    std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> most;
    Watching watching;
    append_text(watching.at("a.htr"), "1");
    watching.watcher.watch(watching.at(""));
    ASSERT_TRUE(watching.until_told(watching.at("a.htr"), ChangeKind::appeared));
    for (std::size_t i = 0; i <= most; i += 2) {
        fs::rename(watching.at("a.htr"), watching.at("b.htr"));
        fs::rename(watching.at("b.htr"), watching.at("a.htr"));
    }
    append_text(watching.at("unseen.htr"), "1");
    fs::remove(watching.at("a.htr"));
    ASSERT_TRUE(watching.until_told(watching.at("unseen.htr"), ChangeKind::appeared));
    ASSERT_TRUE(watching.until_known_is({watching.at("")}));
}

TEST(TraceWatcherInotify, folders_beyond_the_limit_of_watches_are_polled_and_that_is_said_once) {
    Watching watching({.poll_interval = milliseconds(5), .max_watches = 8});
    const std::string deep = watching.at("1/2/3/4/5/6");
    fs::create_directories(deep);
    watching.watcher.watch(watching.at(""));
    watching.watcher.watch(deep);
    EXPECT_FALSE(watching.watcher.polls(watching.at("")));
    EXPECT_TRUE(watching.watcher.polls(deep));
    append_text(deep + "/a.htr", "1");
    append_text(watching.at("b.htr"), "1");
    ASSERT_TRUE(watching.until_told(deep + "/a.htr", ChangeKind::appeared));
    ASSERT_TRUE(watching.until_told(watching.at("b.htr"), ChangeKind::appeared));
    append_text(deep + "/a.htr", "2");
    ASSERT_TRUE(watching.until_told(deep + "/a.htr", ChangeKind::grew));
    EXPECT_THAT(
        watching.log,
        ElementsAre(HasSubstr("5/6: looked at every 5 ms, because inotify cannot watch it: No space left")));
}

TEST(TraceWatcherInotify, without_inotify_everything_is_polled) {
    boost::asio::io_context io;
    const boost::asio::posix::stream_descriptor first(
        io); // with the first of its kind the loop gets its own descriptors
    rlimit limit{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    const int next = dup(0);
    close(next);
    const rlimit none{.rlim_cur = static_cast<rlim_t>(next), .rlim_max = limit.rlim_max};
    const test::TemporaryFolder folder;
    std::vector<std::string> log;
    std::size_t appeared = 0;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
    watch::TraceWatcher watcher(
        io, {.poll_interval = milliseconds(5), .log = [&](const std::string& text) { log.push_back(text); }},
        [&](const watch::FileChange&) { ++appeared; });
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    watcher.watch(folder.file(""));
    EXPECT_TRUE(watcher.polls(folder.file("")));
    EXPECT_THAT(log, ElementsAre(HasSubstr("Too many open files")));
    append_text(folder.file("a.htr"), "1");
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (appeared == 0 && std::chrono::steady_clock::now() < deadline) io.run_one_for(milliseconds(100));
    EXPECT_EQ(appeared, 1U);
}

TEST(TraceWatcherInotify, a_watcher_may_go_while_much_is_under_way) {
    boost::asio::io_context io;
    const test::TemporaryFolder folder;
    for (int i = 0; i < 1000; ++i) append_text(folder.file(std::to_string(i) + ".htr"), "1");
    std::size_t told = 0;
    for (int turns = 0; turns < 8; ++turns) {
        watch::TraceWatcher watcher(io, {.poll_interval = milliseconds(0), .poll_always = turns % 2 == 0},
                                    [&](const watch::FileChange&) { ++told; });
        watcher.watch(folder.file(""));
        append_text(folder.file("0.htr"), "2");
        io.restart();
        for (int i = 0; i < turns; ++i) io.poll_one();
    }
    const std::size_t before = told;
    io.restart();
    io.run_for(milliseconds(100));
    EXPECT_EQ(told, before) << "nothing is told when the watcher is gone";
}

TEST(TraceWatcherInotify, network_file_systems_are_known) {
    for (const long magic : {0x6969L, 0xFF534D42L, 0xFE534D42L, 0x65735546L, 0x01021997L})
        EXPECT_TRUE(watch::is_network_file_system(magic)) << std::hex << magic;
    EXPECT_TRUE(watch::is_network_file_system(static_cast<int>(0xFF534D42))) << "where the field is an int";
    for (const long magic : {0xEF53L /* ext4 */, 0x01021994L /* tmpfs */, 0x794C7630L /* overlay */,
                             0x58465342L /* xfs */, 0x9123683EL /* btrfs */})
        EXPECT_FALSE(watch::is_network_file_system(magic)) << std::hex << magic;
    EXPECT_FALSE(watch::on_network_file_system("/proc"));
}

} // namespace
} // namespace heddle
