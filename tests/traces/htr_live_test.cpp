// Reading a .htr file while another process writes it, and after that process was killed.
#include "encoder_object.h"
#include "live_trace.h"
#include "test_files.h"
#include "traces/describe.h"
#include "traces/htr/reader.h"
#include "traces/htr/write_trace.h"
#include "traces/htr/writer.h"
#include "traces/rules.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace heddle {
namespace {

using test::TemporaryFolder;
using State = htr::Reader::State;

class LiveWriter {
  public:
    LiveWriter(const std::string& path, std::uint64_t seed, int threads, int events, int pause_us) {
        std::vector<std::string> words = {HEDDLE_LIVE_WRITER,     path,
                                          std::to_string(seed),   std::to_string(threads),
                                          std::to_string(events), std::to_string(pause_us)};
        std::vector<char*> arguments;
        arguments.reserve(words.size() + 1);
        for (std::string& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        EXPECT_EQ(posix_spawn(&process_, HEDDLE_LIVE_WRITER, nullptr, nullptr, arguments.data(), environ), 0);
    }
    ~LiveWriter() { wait(); }
    LiveWriter(const LiveWriter&) = delete;
    LiveWriter& operator=(const LiveWriter&) = delete;
    LiveWriter(LiveWriter&&) = delete;
    LiveWriter& operator=(LiveWriter&&) = delete;

    void kill() const {
        if (process_ > 0) ::kill(process_, SIGKILL);
    }
    bool ended() {
        if (process_ > 0 && ::waitpid(process_, &status_, WNOHANG) == process_) process_ = 0;
        return process_ == 0;
    }
    int wait() {
        if (process_ > 0) ::waitpid(std::exchange(process_, 0), &status_, 0);
        return status_;
    }

  private:
    pid_t process_ = 0;
    int status_ = 0;
};

/// Ids depend on which chunk came first, so events are compared by what they say.
std::string told(const Trace& trace, const EventView& event) {
    return trace.display_name(ObjectKind::thread, event.thread().value) + " " + describe(trace, event) +
           " at " + stack_text(trace, event.stack());
}

/// Checks events [from, part.size()) of `part` against the same events of `whole`.
void expect_prefix(const Trace& part, const Trace& whole, std::size_t from = 0) {
    ASSERT_LE(part.size(), whole.size());
    for (const EventView event : part.events(EventId{from}, EventId{part.size()})) {
        ASSERT_EQ(told(part, event), told(whole, whole[event.id()])) << "event " << event.id().value;
    }
}

std::uint64_t size_of(const std::string& path) {
    std::error_code missing;
    const std::uintmax_t size = std::filesystem::file_size(path, missing);
    return missing ? 0 : size;
}

/// Waits for the writer to have made the file and its header.
std::unique_ptr<htr::Reader> open_when_there(const std::string& path) {
    for (int tries = 0; tries < 20'000; ++tries) {
        auto reader = htr::Reader::open(path, {});
        if (reader) return std::move(*reader);
        std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
    return nullptr;
}

TEST(HtrLive, a_reader_that_polls_sees_a_prefix_at_all_times_and_the_whole_at_the_end) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const TemporaryFolder folder;
        const std::string path = folder.file("live.htr");
        const Trace whole = test::live_trace(seed, 5, 4000);
        LiveWriter writer(path, seed, 5, 4000, 300);
        const auto reader = open_when_there(path);
        ASSERT_NE(reader, nullptr);
        std::size_t seen = 0;
        State state = State::growing;
        while (state == State::growing) {
            state = reader->poll();
            const Trace now = reader->trace();
            expect_prefix(now, whole, seen);
            if (HasFatalFailure()) return;
            seen = now.size();
        }
        EXPECT_EQ(state, State::closed);
        reader->finish();
        EXPECT_TRUE(reader->damage().empty());
        EXPECT_EQ(seen, whole.size());
        EXPECT_EQ(reader->trace().metadata(), whole.metadata());
        EXPECT_EQ(writer.wait(), 0);
    }
}

TEST(HtrLive, a_poll_gives_what_is_stable_and_nothing_beyond_it) {
    const TemporaryFolder folder;
    const std::string path = folder.file("live.htr");
    auto writer = htr::Writer::create(path, {});
    ASSERT_TRUE(writer.has_value());
    const auto fast = (*writer)->open_stream();
    const auto slow = (*writer)->open_stream();
    const auto reader = open_when_there(path);
    ASSERT_NE(reader, nullptr);
    const auto write = [](htr::Stream& stream, std::uint64_t thread, std::vector<std::uint64_t> stamps) {
        htr::ChunkEncoder& encoder = stream.encoder();
        const std::uint32_t number = test::object_with_key(encoder, ObjectKind::thread, thread);
        const std::uint32_t site = encoder.add_site({.kind = EventKind::thread_begin});
        for (const std::uint64_t stamp : stamps) encoder.add_event(number, stamp, site, std::nullopt, 0, 0);
        ASSERT_TRUE(stream.flush(stamps.back() + 1));
    };
    const auto seen = [&] {
        EXPECT_EQ(reader->poll(), State::growing);
        return reader->trace().size();
    };

    EXPECT_EQ(seen(), 0U);
    write(*fast, 1, {0, 2, 4});
    EXPECT_EQ(seen(), 0U) << "the slow stream may still write stamp 0";
    write(*slow, 2, {1});
    EXPECT_EQ(seen(), 2U) << "0 and 1; the slow stream may still write stamp 2";
    slow->advance(10);
    write(*fast, 1, {11});
    EXPECT_EQ(seen(), 4U) << "0, 1, 2 and 4; 11 is beyond what the slow stream promised";
    ASSERT_TRUE((*writer)->close());
    EXPECT_EQ(reader->poll(), State::closed);
    EXPECT_EQ(reader->trace().size(), 5U);
}

TEST(HtrLive, a_writer_killed_at_any_moment_leaves_a_readable_file) {
    const std::uint64_t full_size = [] {
        const TemporaryFolder folder;
        LiveWriter(folder.file("full.htr"), 0, 4, 2000, 0).wait();
        return size_of(folder.file("full.htr"));
    }();
    ASSERT_GT(full_size, 0U);
    std::mt19937_64 random(7);
    std::size_t unfinished = 0;
    std::size_t with_events = 0;
    for (std::uint64_t round = 0; round < 200; ++round) {
        const TemporaryFolder folder;
        const std::string path = folder.file("live.htr");
        const Trace whole = test::live_trace(round, 4, 2000);
        LiveWriter writer(path, round, 4, 2000, 100);
        // Killed at a moment of the file's life, not of the clock's: machines differ in speed.
        const std::uint64_t enough = random() % full_size;
        while (size_of(path) < enough && !writer.ended()) {
        }
        writer.kill();
        writer.wait();
        auto read = htr::read_trace(path);
        if (!read) continue; // killed before the header was there
        expect_prefix(read->trace, whole);
        if (HasFatalFailure()) return;
        EXPECT_TRUE(check_rules(read->trace).clean()) << "round " << round;
        for (const Damage& damage : read->damage.kept())
            EXPECT_EQ(damage.kind, DamageKind::incomplete) << damage.text();
        unfinished += read->damage.empty() ? 0U : 1U;
        with_events += read->trace.empty() ? 0U : 1U;
    }
    // Otherwise the kills came too early or too late to show anything.
    EXPECT_GT(unfinished, 100U);
    EXPECT_GT(with_events, 100U);
}

TEST(HtrLive, a_file_that_is_rewritten_or_replaced_is_told_from_one_that_grew) {
    const TemporaryFolder folder;
    const std::string path = folder.file("live.htr");
    const Trace trace = test::live_trace(1, 3, 500);
    const auto other = folder.file("other.htr");
    ASSERT_TRUE(htr::write_trace(trace, other));

    ASSERT_TRUE(htr::Writer::create(path, {}));
    auto rewritten = htr::Reader::open(path, {});
    ASSERT_TRUE(rewritten.has_value());
    EXPECT_EQ((*rewritten)->poll(), State::growing);
    ASSERT_TRUE(htr::write_trace(trace, path));
    EXPECT_EQ((*rewritten)->poll(), State::replaced);

    ASSERT_TRUE(htr::Writer::create(path, {}));
    auto replaced = htr::Reader::open(path, {});
    ASSERT_TRUE(replaced.has_value());
    std::filesystem::rename(other, path);
    EXPECT_EQ((*replaced)->poll(), State::replaced);
}

TEST(HtrLive, a_full_disk_is_an_error_and_what_was_written_stays_readable) {
    // /dev/full answers every write with "no space left".
    const auto refused = htr::Writer::create("/dev/full", {});
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().message, testing::HasSubstr("No space left on device"));

    // A limit on file sizes stops a write halfway, as a disk that fills up does.
    const TemporaryFolder folder;
    const std::string path = folder.file("full.htr");
    const Trace trace = test::live_trace(3, 4, 4000);
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{.rlim_cur = 30'000, .rlim_max = before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const auto written = htr::write_trace(trace, path, {.events_per_chunk = 50});
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, handler);

    ASSERT_FALSE(written.has_value());
    EXPECT_THAT(written.error().message,
                testing::HasSubstr("what comes before the first event that is missing is readable"));
    const auto read = htr::read_trace(path);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->damage.total(), 1U);
    EXPECT_GT(read->trace.size(), 0U);
    expect_prefix(read->trace, trace);
}

} // namespace
} // namespace heddle
