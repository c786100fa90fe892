#include "daemon/service/report_cache.h"
#include "test_files.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

namespace heddle::service {
namespace {

namespace fs = std::filesystem;

report::TraceReport report_named(const std::string& test, std::size_t notes = 0) {
    report::TraceReport report;
    report.test = test;
    report.notes.assign(notes, std::string(1000, 'n'));
    return report;
}

struct ReportCacheTest : testing::Test {
    test::TemporaryFolder folder;
    std::vector<std::string> said;
    ReportCache cache{folder.file("cache"), 100'000,
                      [this](const std::string& text) { said.push_back(text); }};
};

TEST_F(ReportCacheTest, finds_what_was_kept) {
    EXPECT_FALSE(cache.find("one"));
    cache.keep("one", report_named("first"));
    const auto found = cache.find("one");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->test, "first");
    EXPECT_FALSE(cache.find("two"));
    EXPECT_THAT(said, testing::IsEmpty());
}

TEST_F(ReportCacheTest, the_key_follows_the_content_and_the_options) {
    const std::string path = folder.file("trace");
    std::ofstream(path) << "content";
    const auto key = ReportCache::key_of(path, "options");
    ASSERT_TRUE(key);
    EXPECT_EQ(*ReportCache::key_of(path, "options"), *key);
    EXPECT_NE(*ReportCache::key_of(path, "others"), *key);
    std::ofstream(path) << "contenT";
    EXPECT_NE(*ReportCache::key_of(path, "options"), *key);
    EXPECT_FALSE(ReportCache::key_of(folder.file("none"), "options"));
    std::stop_source unwanted;
    unwanted.request_stop();
    EXPECT_FALSE(ReportCache::key_of(path, "options", unwanted.get_token()));
}

TEST_F(ReportCacheTest, notices_damage_says_so_once_and_forgets) {
    for (const char* key : {"one", "two", "three"}) cache.keep(key, report_named(key));
    const std::string path = folder.file("cache/one.report");
    std::vector<std::uint8_t> bytes = test::read_bytes(path);
    bytes[bytes.size() - 3] ^= 1U;
    test::write_bytes(path, bytes);
    std::ofstream(folder.file("cache/two.report"), std::ios::trunc) << "heddle";
    EXPECT_FALSE(cache.find("one"));
    EXPECT_FALSE(cache.find("two"));
    EXPECT_TRUE(cache.find("three"));
    EXPECT_EQ(said.size(), 1U);
    EXPECT_FALSE(fs::exists(path));
}

TEST_F(ReportCacheTest, the_longest_unused_go_when_it_is_full) {
    for (int i = 0; i < 20; ++i) {
        cache.keep(std::to_string(i), report_named("r", 9)); // some 9 KB each
        // The next is later, whatever the file system's clock says.
        for (const auto& file : fs::directory_iterator(folder.file("cache")))
            fs::last_write_time(file, file.last_write_time() - std::chrono::seconds(10));
    }
    EXPECT_FALSE(cache.find("0"));
    EXPECT_TRUE(cache.find("19"));
    std::uintmax_t total = 0;
    for (const auto& file : fs::directory_iterator(folder.file("cache"))) total += file.file_size();
    EXPECT_LE(total, 100'000U);
    EXPECT_GT(total, 50'000U);
}

/// While it lives no file of this process can become longer than so many bytes, as on a disk that is full.
class FullDisk {
  public:
    explicit FullDisk(rlim_t bytes) {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit full{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &full);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
    }
    ~FullDisk() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;
    FullDisk(FullDisk&&) = delete;
    FullDisk& operator=(FullDisk&&) = delete;

  private:
    rlimit before_{};
    void (*handler_)(int) = nullptr;
};

TEST_F(ReportCacheTest, a_full_disk_is_said_once_and_loses_nothing_that_was_kept) {
    cache.keep("before", report_named("before"));
    {
        const FullDisk full(16);
        cache.keep("one", report_named("one"));
        cache.keep("before", report_named("another"));
    }
    EXPECT_FALSE(cache.find("one"));
    ASSERT_TRUE(cache.find("before"));
    EXPECT_EQ(cache.find("before")->test, "before");
    ASSERT_EQ(said.size(), 1U);
    EXPECT_THAT(said[0], testing::HasSubstr("cache"));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.file("cache")), {}), 1)
        << "nothing half written is left";
    cache.keep("one", report_named("one"));
    EXPECT_TRUE(cache.find("one")) << "room again";
}

TEST_F(ReportCacheTest, a_folder_that_cannot_be_made_is_said_once) {
    std::ofstream(folder.file("file")) << "no folder";
    ReportCache other(folder.file("file/cache"), 100'000,
                      [this](const std::string& text) { said.push_back(text); });
    other.keep("one", report_named("one"));
    other.keep("two", report_named("two"));
    EXPECT_FALSE(other.find("one"));
    EXPECT_EQ(said.size(), 1U);
}

} // namespace
} // namespace heddle::service
