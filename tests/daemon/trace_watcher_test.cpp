// What the watcher tells of files and folders, by inotify and by polling alike.
#include "daemon/watch/trace_watcher.h"
#include "run_program.h"
#include "watching.h"

#include <random>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle {
namespace {

namespace fs = std::filesystem;
using test::append_text;
using test::replace_text;
using test::Watching;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using watch::ChangeKind;

class TraceWatcher : public testing::TestWithParam<bool> {
  protected:
    [[nodiscard]] static watch::Options options() {
        return {.poll_interval = std::chrono::milliseconds(5), .poll_always = GetParam()};
    }

    Watching watching_{options()};
};

TEST_P(TraceWatcher, finds_what_is_there_and_what_comes) {
    append_text(watching_.at("old.htr"), "1");
    watching_.watcher.watch(watching_.at(""));
    EXPECT_THAT(watching_.changes, IsEmpty()) << "nothing is told before watch returns";
    ASSERT_TRUE(watching_.until_told(watching_.at("old.htr"), ChangeKind::appeared));
    append_text(watching_.at("new.std"), "12");
    ASSERT_TRUE(watching_.until_told(watching_.at("new.std"), ChangeKind::appeared));
    ASSERT_TRUE(watching_.until_known_is({watching_.at("")}));
    EXPECT_EQ(watching_.known().size(), 2U);
}

TEST_P(TraceWatcher, tells_growth_shrinking_replacement_and_deletion) {
    const std::string path = watching_.at("a.htr");
    watching_.watcher.watch(watching_.at(""));
    append_text(path, "some");
    ASSERT_TRUE(watching_.until_told(path, ChangeKind::appeared));
    ASSERT_TRUE(watching_.until_known_is({watching_.at("")}));
    {
        std::ofstream open(path, std::ios::app); // held open: no close is told
        open << "more" << std::flush;
        ASSERT_TRUE(watching_.until_told(path, ChangeKind::grew));
        EXPECT_EQ(watching_.changes.back().stamp.size, 8U);
    }
    fs::resize_file(path, 2);
    ASSERT_TRUE(watching_.until_told(path, ChangeKind::shrank));
    EXPECT_EQ(watching_.told(path, ChangeKind::replaced), 0U);
    replace_text(path, "something else");
    ASSERT_TRUE(watching_.until_told(path, ChangeKind::replaced));
    fs::remove(path);
    ASSERT_TRUE(watching_.until_told(path, ChangeKind::deleted));
    EXPECT_EQ(watching_.changes.back().stamp.size, 14U) << "as it was last told";
    EXPECT_THAT(watching_.known(), IsEmpty());
}

TEST_P(TraceWatcher, a_file_made_anew_under_its_old_name_is_another_file) {
    const std::string path = watching_.at("a.htr");
    append_text(path, "first");
    watching_.watcher.watch(watching_.at(""));
    ASSERT_TRUE(watching_.until_told(path, ChangeKind::appeared));
    // Many file systems give the new file the old one's inode at once. Their clocks tick some hundred times a
    // second.
    const auto tick = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
    ASSERT_TRUE(watching_.until([&] { return std::chrono::steady_clock::now() > tick; }));
    fs::remove(path);
    append_text(path, "second, longer");
    ASSERT_TRUE(watching_.until([&] {
        return watching_.told(path, ChangeKind::replaced) + watching_.told(path, ChangeKind::deleted) > 0;
    }));
    ASSERT_TRUE(watching_.until_known_is({watching_.at("")}));
    EXPECT_EQ(watching_.told(path, ChangeKind::grew), 0U);
}

TEST_P(TraceWatcher, a_file_that_gets_its_name_at_the_end_appears_whole) {
    watching_.watcher.watch(watching_.at(""));
    replace_text(watching_.at("a.htr"), "whole");
    ASSERT_TRUE(watching_.until_told(watching_.at("a.htr"), ChangeKind::appeared));
    EXPECT_EQ(watching_.changes.back().stamp.size, 5U);
    fs::rename(watching_.at("a.htr"), watching_.at("b.htr"));
    ASSERT_TRUE(watching_.until_told(watching_.at("b.htr"), ChangeKind::appeared));
    ASSERT_TRUE(watching_.until_told(watching_.at("a.htr"), ChangeKind::deleted));
    for (const watch::FileChange& change : watching_.changes)
        EXPECT_FALSE(change.path.ends_with(".tmp")) << change.path;
}

TEST_P(TraceWatcher, other_processes_write) {
    const std::string path = watching_.at("a.htr");
    watching_.watcher.watch(watching_.at(""));
    ASSERT_EQ(test::run_program({"/bin/sh", "-c", "for i in 1 2 3; do echo $i >> " + path + "; done"}).status,
              0);
    ASSERT_TRUE(watching_.until([&] { return watching_.known()[path].size == 6; }));
}

TEST_P(TraceWatcher, only_regular_files_with_a_traces_name_count) {
    ASSERT_EQ(mkfifo(watching_.at("pipe.htr").c_str(), 0600), 0);
    fs::create_directory(watching_.at("folder.htr"));
    append_text(watching_.at("folder.htr/below.htr"), "1");
    append_text(watching_.at("notes.txt"), "1");
    append_text(watching_.at("htr"), "1");
    fs::create_symlink(watching_.at("real.htr"), watching_.at("link.htr"));
    fs::create_symlink("loop.htr", watching_.at("loop.htr"));
    append_text(watching_.at("real.htr"), "1");
    watching_.watcher.watch(watching_.at(""));
    ASSERT_TRUE(watching_.until_known_is({watching_.at("")}));
    ASSERT_EQ(watching_.changes.size(), 1U);
    EXPECT_EQ(watching_.changes[0].path, watching_.at("real.htr"));
}

TEST_P(TraceWatcher, a_file_that_becomes_a_folder_is_gone) {
    const std::string path = watching_.at("a.htr");
    append_text(path, "1");
    watching_.watcher.watch(watching_.at(""));
    ASSERT_TRUE(watching_.until_told(path, ChangeKind::appeared));
    fs::remove(path);
    fs::create_directory(path);
    ASSERT_TRUE(watching_.until_told(path, ChangeKind::deleted));
}

TEST_P(TraceWatcher, names_need_not_be_utf8) {
    const std::string path = watching_.at("\xff\xfe \n*.htr");
    watching_.watcher.watch(watching_.at(""));
    append_text(path, "1");
    ASSERT_TRUE(watching_.until_told(path, ChangeKind::appeared));
}

TEST_P(TraceWatcher, a_folder_may_be_made_later) {
    const std::string folder = watching_.at("project/.heddle/traces");
    watching_.watcher.watch(folder);
    ASSERT_TRUE(watching_.until([&] { return !watching_.watcher.scanning(); }));
    fs::create_directory(watching_.at("project"));
    ASSERT_TRUE(watching_.until_known_is({folder}));
    fs::create_directories(folder);
    append_text(folder + "/a.htr", "1");
    ASSERT_TRUE(watching_.until_told(folder + "/a.htr", ChangeKind::appeared));
    EXPECT_THAT(watching_.log, IsEmpty()) << "a folder that is not there yet is nothing to talk about";
}

TEST_P(TraceWatcher, a_folder_may_go_and_come_back_even_while_somebody_has_it_open) {
    const std::string folder = watching_.at(".heddle/traces");
    fs::create_directories(folder);
    append_text(folder + "/a.htr", "1");
    watching_.watcher.watch(folder);
    ASSERT_TRUE(watching_.until_told(folder + "/a.htr", ChangeKind::appeared));
    const int somebody = open(folder.c_str(), O_RDONLY | O_DIRECTORY);
    const int parent = open(watching_.at(".heddle").c_str(), O_RDONLY | O_DIRECTORY);
    fs::remove_all(watching_.at(".heddle"));
    ASSERT_TRUE(watching_.until_told(folder + "/a.htr", ChangeKind::deleted));
    fs::create_directories(folder);
    append_text(folder + "/b.htr", "1");
    EXPECT_TRUE(watching_.until_told(folder + "/b.htr", ChangeKind::appeared));
    close(somebody);
    close(parent);
}

TEST_P(TraceWatcher, a_parent_may_be_moved_away_and_another_take_its_place) {
    fs::create_directories(watching_.at("one/.heddle/traces"));
    fs::create_directories(watching_.at("two/.heddle/traces"));
    append_text(watching_.at("one/.heddle/traces/a.htr"), "1");
    append_text(watching_.at("two/.heddle/traces/a.htr"), "22");
    append_text(watching_.at("two/.heddle/traces/b.htr"), "1");
    const std::string folder = watching_.at("one/.heddle/traces");
    watching_.watcher.watch(folder);
    ASSERT_TRUE(watching_.until_told(folder + "/a.htr", ChangeKind::appeared));
    fs::rename(watching_.at("one"), watching_.at("away"));
    ASSERT_TRUE(watching_.until_told(folder + "/a.htr", ChangeKind::deleted));
    fs::rename(watching_.at("two"), watching_.at("one"));
    ASSERT_TRUE(watching_.until_told(folder + "/b.htr", ChangeKind::appeared));
    append_text(watching_.at("away/.heddle/traces/c.htr"), "not ours any more");
    append_text(folder + "/d.htr", "1");
    ASSERT_TRUE(watching_.until_told(folder + "/d.htr", ChangeKind::appeared));
    ASSERT_TRUE(watching_.until_known_is({folder}));
    EXPECT_EQ(watching_.known().size(), 3U);
}

TEST_P(TraceWatcher, a_folder_may_become_a_file_and_a_folder_again) {
    const std::string folder = watching_.at("traces");
    fs::create_directory(folder);
    append_text(folder + "/a.htr", "1");
    watching_.watcher.watch(folder);
    ASSERT_TRUE(watching_.until_told(folder + "/a.htr", ChangeKind::appeared));
    fs::remove_all(folder);
    append_text(folder, "a file");
    ASSERT_TRUE(watching_.until_told(folder + "/a.htr", ChangeKind::deleted));
    ASSERT_TRUE(watching_.until([&] { return !watching_.log.empty(); }));
    EXPECT_THAT(watching_.log, ElementsAre(HasSubstr("traces: cannot be read: Not a directory")));
    fs::remove(folder);
    fs::create_directory(folder);
    append_text(folder + "/b.htr", "1");
    ASSERT_TRUE(watching_.until_told(folder + "/b.htr", ChangeKind::appeared));
}

TEST_P(TraceWatcher, links_are_followed_to_folders_also_when_they_change) {
    fs::create_directory(watching_.at("one"));
    fs::create_directory(watching_.at("two"));
    append_text(watching_.at("one/a.htr"), "1");
    append_text(watching_.at("two/b.htr"), "1");
    const std::string folder = watching_.at("current/.");
    fs::create_directory_symlink("one", watching_.at("current"));
    watching_.watcher.watch(folder);
    ASSERT_TRUE(watching_.until_told(folder + "/a.htr", ChangeKind::appeared));
    fs::create_directory_symlink("two", watching_.at("next"));
    fs::rename(watching_.at("next"), watching_.at("current"));
    ASSERT_TRUE(watching_.until_told(folder + "/b.htr", ChangeKind::appeared));
    ASSERT_TRUE(watching_.until_told(folder + "/a.htr", ChangeKind::deleted));
}

TEST_P(TraceWatcher, links_in_a_circle_lead_nowhere_until_they_do) {
    const std::string folder = watching_.at("ping/traces");
    fs::create_symlink("pong", watching_.at("ping"));
    fs::create_symlink("ping", watching_.at("pong"));
    watching_.watcher.watch(folder);
    ASSERT_TRUE(watching_.until([&] { return !watching_.watcher.scanning(); }));
    EXPECT_THAT(watching_.log, ElementsAre(HasSubstr("Too many levels of symbolic links")));
    fs::create_directories(watching_.at("real/traces"));
    append_text(watching_.at("real/traces/a.htr"), "1");
    fs::remove(watching_.at("pong"));
    fs::create_directory_symlink("real", watching_.at("pong"));
    ASSERT_TRUE(watching_.until_told(folder + "/a.htr", ChangeKind::appeared));
}

/// Root may read everything: gives that up.
class AsNobody {
  public:
    AsNobody() { become(kNobody); }
    ~AsNobody() { become(0); }
    AsNobody(const AsNobody&) = delete;
    AsNobody& operator=(const AsNobody&) = delete;
    AsNobody(AsNobody&&) = delete;
    AsNobody& operator=(AsNobody&&) = delete;

    void change_mode(const std::string& path, mode_t mode) const {
        become(0);
        EXPECT_EQ(chmod(path.c_str(), mode), 0);
        become(kNobody);
    }

  private:
    static constexpr uid_t kNobody = 65534;
    void become(uid_t user) const {
        if (!was_root_) return;
        EXPECT_EQ(seteuid(user), 0);
    }
    bool was_root_ = geteuid() == 0;
};

TEST_P(TraceWatcher, a_folder_that_may_not_be_read_is_not_forgotten) {
    const std::string folder = watching_.at("traces");
    fs::create_directory(folder);
    append_text(folder + "/a.htr", "1");
    ASSERT_EQ(chmod(watching_.at("").c_str(), 0755), 0);
    const AsNobody nobody;
    watching_.watcher.watch(folder);
    ASSERT_TRUE(watching_.until_told(folder + "/a.htr", ChangeKind::appeared));
    nobody.change_mode(folder, 0000);
    ASSERT_TRUE(watching_.until([&] { return !watching_.log.empty(); }));
    EXPECT_THAT(watching_.log, ElementsAre(HasSubstr("traces: cannot be read: Permission denied")));
    nobody.change_mode(folder, 0755);
    watching_.watcher.rescan();
    ASSERT_TRUE(watching_.until([&] { return !watching_.watcher.scanning(); }));
    EXPECT_EQ(watching_.changes.size(), 1U) << "nothing has happened to the file";
}

TEST_P(TraceWatcher, a_folder_that_may_not_be_read_at_first_is_found_when_it_may) {
    const std::string folder = watching_.at("traces");
    fs::create_directory(folder);
    append_text(folder + "/a.htr", "1");
    ASSERT_EQ(chmod(watching_.at("").c_str(), 0755), 0);
    const AsNobody nobody;
    nobody.change_mode(folder, 0000);
    watching_.watcher.watch(folder);
    ASSERT_TRUE(watching_.until([&] { return !watching_.log.empty(); }));
    nobody.change_mode(folder, 0755);
    ASSERT_TRUE(watching_.until_told(folder + "/a.htr", ChangeKind::appeared));
}

TEST_P(TraceWatcher, a_file_that_may_be_read_now_is_told_of) {
    const std::string path = watching_.at("a.htr");
    append_text(path, "1");
    fs::permissions(path, fs::perms::none);
    watching_.watcher.watch(watching_.at(""));
    ASSERT_TRUE(watching_.until_told(path, ChangeKind::appeared));
    fs::permissions(path, fs::perms::owner_read);
    EXPECT_TRUE(watching_.until_told(path, ChangeKind::grew));
}

TEST_P(TraceWatcher, what_is_no_longer_watched_is_no_longer_told) {
    fs::create_directory(watching_.at("one"));
    fs::create_directory(watching_.at("two"));
    for (int i = 0; i < 3; ++i) append_text(watching_.at("one/" + std::to_string(i) + ".htr"), "1");
    append_text(watching_.at("two/a.htr"), "1");
    watching_.also = [&](const watch::FileChange& change) {
        if (change.path.starts_with(watching_.at("one"))) watching_.watcher.unwatch(watching_.at("one"));
    };
    watching_.watcher.watch(watching_.at("one"));
    watching_.watcher.watch(watching_.at("two"));
    watching_.watcher.watch(watching_.at("two/"));
    EXPECT_EQ(watching_.watcher.folders().size(), 2U);
    ASSERT_TRUE(watching_.until_told(watching_.at("two/a.htr"), ChangeKind::appeared));
    append_text(watching_.at("one/b.htr"), "1");
    append_text(watching_.at("two/b.htr"), "1");
    ASSERT_TRUE(watching_.until_told(watching_.at("two/b.htr"), ChangeKind::appeared));
    EXPECT_EQ(watching_.changes.size(),
              3U + watching_.told(watching_.at("two/b.htr"), ChangeKind::closed_by_writer))
        << "one of the first folder, before it was dropped";
    EXPECT_EQ(watching_.known().size(), 2U);
}

/// One random step on files of a few names.
void churn(std::mt19937& random, const std::string& folder) {
    const auto any = [&] { return folder + "/" + std::to_string(random() % 6) + ".htr"; };
    const std::string path = any();
    std::error_code ignored;
    switch (random() % 7) {
    case 0: append_text(path, std::string(random() % 100, 'x')); break;
    case 1: replace_text(path, std::string(random() % 100, 'y')); break;
    case 2: fs::resize_file(path, random() % 50, ignored); break;
    case 3: fs::rename(path, any(), ignored); break;
    case 4: fs::remove(path, ignored); break;
    case 5: std::ofstream(path, std::ios::trunc) << "z"; break;
    case 6: fs::last_write_time(path, fs::file_time_type::clock::now(), ignored); break;
    }
}

TEST_P(TraceWatcher, whatever_happens_what_is_known_is_what_is_there) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        const std::string folder = watching_.at("churn" + std::to_string(seed));
        if (random() % 2 == 0) fs::create_directory(folder);
        watching_.watcher.watch(folder);
        for (int step = 0; step < 200; ++step) {
            fs::create_directory(folder);
            churn(random, folder);
            if (random() % 40 == 0) fs::remove_all(folder);
            if (random() % 3 == 0) {
                watching_.io.restart();
                watching_.io.poll_one();
            }
        }
        ASSERT_TRUE(watching_.until_known_is({folder}));
        watching_.watcher.unwatch(folder);
    }
}

TEST_P(TraceWatcher, thousands_of_files_never_hold_up_the_loop) {
    constexpr std::size_t kFiles = 10'000;
    for (std::size_t i = 0; i < kFiles; ++i) std::ofstream(watching_.at(std::to_string(i) + ".htr")) << i;
    watching_.watcher.watch(watching_.at(""));
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    };
    std::chrono::nanoseconds longest{0};
    while (watching_.changes.size() < kFiles) {
        watching_.io.restart();
        const auto start = now();
        ASSERT_EQ(watching_.io.run_one_for(std::chrono::seconds(10)), 1U);
        longest = std::max(longest, now() - start);
    }
    EXPECT_LT(longest, std::chrono::milliseconds(20)) << "of processor time, whatever else runs";
    fs::remove_all(watching_.at(""));
    ASSERT_TRUE(watching_.until([&] { return watching_.changes.size() >= 2 * kFiles; }));
    EXPECT_THAT(watching_.known(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(By, TraceWatcher, testing::Bool(),
                         [](const auto& about) { return about.param ? "polling" : "inotify"; });

} // namespace
} // namespace heddle
