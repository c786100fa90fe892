#include "conversation.h"
#include "daemon/service/trace_store.h"
#include "live_trace.h"
#include "sample_run.h"
#include "test_files.h"
#include "traces/generator.h"
#include "traces/save.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <semaphore>
#include <set>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::service {
namespace {

namespace fs = std::filesystem;

struct TraceStoreTest : testing::Test {
    bool until(const std::function<bool()>& holds) { return lsp::test::run_until(loop, holds); }
    bool idle() {
        return until([this] { return store.activity().waiting == 0; });
    }
    std::size_t findings(const std::string& path) {
        std::size_t count = 0;
        for (const SharedReport& report : store.reports(path)) count += report->findings.size();
        return count;
    }
    void tell(TraceChange change) {
        store.file_changed(trace, change, fs::is_regular_file(trace) ? fs::file_size(trace) : 1);
    }

    test::TemporaryFolder folder;
    std::string trace = folder.file("run.std");
    boost::asio::io_context loop;
    AnalysisSettings settings = [] {
        AnalysisSettings wanted;
        wanted.options.witnesses = true;
        return wanted;
    }();
    std::vector<std::string> problems;
    std::size_t changes = 0;
    ReportCache cache{folder.file("cache"), 10'000'000, {}};
    SharedSymbols symbols{{}};
    WorkPool pool{2};
    TraceStore store{{loop, pool, cache, symbols},
                     settings,
                     {.reports = [this](const std::string&) { ++changes; },
                      .activity = [](const std::string&) {},
                      .problem =
                          [this](const std::string&, const std::string& why) {
                              if (!why.empty()) problems.push_back(why);
                          }}};
};

TEST_F(TraceStoreTest, a_new_run_replaces_its_predecessor) {
    test::write_file(trace, test::kRacy);
    tell(TraceChange::finished);
    ASSERT_TRUE(idle());
    EXPECT_GT(findings(trace), 0U);

    test::write_file(trace, test::kCorrect);
    tell(TraceChange::replaced);
    EXPECT_GT(findings(trace), 0U) << "what was known stays until something else is";
    tell(TraceChange::finished);
    ASSERT_TRUE(idle());
    EXPECT_EQ(findings(trace), 0U);
    EXPECT_EQ(store.reports(trace).size(), 1U);
    EXPECT_THAT(problems, testing::IsEmpty());
}

TEST_F(TraceStoreTest, a_trace_that_is_gone_takes_its_reports_with_it) {
    test::write_file(trace, test::kRacy);
    tell(TraceChange::finished);
    ASSERT_TRUE(idle());
    fs::remove(trace);
    tell(TraceChange::gone);
    EXPECT_THAT(store.reports(trace), testing::IsEmpty());
    EXPECT_THAT(store.paths(), testing::IsEmpty());
}

TEST_F(TraceStoreTest, what_cannot_be_read_is_said_and_the_rest_goes_on) {
    fs::create_directory(trace);
    tell(TraceChange::finished);
    ASSERT_TRUE(until([this] { return !problems.empty(); }));
    EXPECT_THAT(problems[0], testing::HasSubstr("run.std"));
    const std::string other = folder.file("other.std");
    test::write_file(other, test::kRacy);
    store.file_changed(other, TraceChange::finished, 1);
    ASSERT_TRUE(idle());
    EXPECT_GT(findings(other), 0U);
}

TEST_F(TraceStoreTest, a_second_start_answers_from_the_cache) {
    test::write_file(trace, test::kRacy);
    tell(TraceChange::finished);
    ASSERT_TRUE(idle());
    const std::size_t expected = findings(trace);
    // A report that no analysis would make shows where it comes from.
    const std::string key = *ReportCache::key_of(trace, settings.key());
    auto kept = cache.find(key);
    ASSERT_TRUE(kept);
    kept->findings.resize(1);
    kept->findings[0].variable = "from the cache";
    cache.keep(key, *kept);
    tell(TraceChange::finished);
    ASSERT_TRUE(idle());
    ASSERT_EQ(findings(trace), 1U);
    EXPECT_EQ(store.reports(trace)[0]->findings[0].variable, "from the cache");

    store.analyse_again();
    ASSERT_TRUE(idle());
    EXPECT_EQ(findings(trace), expected) << "who asks for an analysis gets one";
}

/// A trace that is told in pieces ends with the report of the whole.
TEST_F(TraceStoreTest, a_file_that_is_empty_is_no_run_that_ended) {
    // A recorder makes its file, and only then takes hold of it.
    test::write_file(trace, "");
    tell(TraceChange::finished);
    ASSERT_TRUE(idle());
    EXPECT_EQ(store.activity().growing, 1U);
    test::write_file(trace, test::kRacy);
    tell(TraceChange::finished);
    ASSERT_TRUE(idle());
    EXPECT_EQ(store.activity().growing, 0U);
    EXPECT_GT(findings(trace), 0U);
    EXPECT_THAT(problems, testing::IsEmpty());
}

TEST_F(TraceStoreTest, a_growing_trace_is_analysed_as_it_grows) {
    const std::string whole = folder.file("whole.htr");
    const std::string growing = folder.file("growing.htr");
    GeneratorSettings wanted = realistic();
    wanted.events = 60'000;
    wanted.race_rate = 0.004;
    ASSERT_TRUE(save_trace(generate(wanted), whole, {}));
    const std::vector<std::uint8_t> bytes = test::read_bytes(whole);
    store.file_changed(whole, TraceChange::finished, bytes.size());
    ASSERT_TRUE(idle());
    std::size_t before = 0;
    for (std::size_t part = 1; part <= 4; ++part) {
        const std::vector<std::uint8_t> there(
            bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() * part / 4));
        std::ofstream(growing, std::ios::binary | (part == 1 ? std::ios::trunc : std::ios::app))
            .write(reinterpret_cast<const char*>(there.data() + before),
                   static_cast<std::streamsize>(there.size() - before));
        before = there.size();
        store.file_changed(growing, part == 4 ? TraceChange::finished : TraceChange::grew, there.size());
        ASSERT_TRUE(idle());
        ASSERT_EQ(store.reports(growing).size(), 1U) << part;
    }
    EXPECT_EQ(*store.reports(growing)[0], *store.reports(whole)[0]);
    EXPECT_GT(findings(whole), 0U);
}

/// Without its text an edit would leave the places where they were.
TEST_F(TraceStoreTest, what_is_shown_while_schedules_are_looked_for_has_its_text) {
    test::write_file(folder.file("project/bank.cpp"), test::kSource);
    test::write_file(trace, test::kRacy);
    AnalysisJob job{.path = trace, .ended = true, .settings = settings};
    job.settings.root = folder.file("project");
    std::binary_semaphore told(0);
    std::atomic<bool> waited = false;
    std::optional<report::TraceReport> interim;
    const auto held_up = [&](std::uint64_t done, std::uint64_t total) {
        const bool searching = done * 2 > total;
        return !searching || waited.exchange(true) || told.try_acquire_for(std::chrono::seconds(20));
    };
    const auto last = run(job, cache, symbols, held_up, [&](report::TraceReport report) {
        interim = std::move(report);
        told.release();
    });
    ASSERT_TRUE(last && interim);
    ASSERT_EQ(interim->sources.size(), 1U);
    ASSERT_EQ(last->sources.size(), 1U);
    EXPECT_EQ(interim->sources[0].hash, last->sources[0].hash);
}

TEST_F(TraceStoreTest, cancelling_leaves_what_was_known) {
    test::write_file(trace, test::kRacy);
    tell(TraceChange::finished);
    ASSERT_TRUE(idle());
    const std::size_t known = findings(trace);
    store.analyse_again();
    store.cancel();
    EXPECT_EQ(store.activity().waiting, 0U);
    EXPECT_EQ(findings(trace), known);
}

TEST_F(TraceStoreTest, who_asks_to_look_again_is_always_answered) {
    std::size_t answers = 0;
    const auto answer = [&] { ++answers; };
    store.look_again(folder.file("nothing.htr"), answer);
    ASSERT_TRUE(until([&] { return answers == 1; }));
    test::write_file(trace, test::kRacy);
    tell(TraceChange::finished);
    store.look_again(trace, answer); // while it is being analysed
    ASSERT_TRUE(until([&] { return answers == 2; }));
    EXPECT_EQ(store.activity().waiting, 0U);
    EXPECT_GT(findings(trace), 0U);
    store.look_again(trace, answer);
    store.cancel();
    ASSERT_TRUE(until([&] { return answers == 3; }));
    store.look_again(trace, answer);
    tell(TraceChange::gone);
    ASSERT_TRUE(until([&] { return answers == 4; }));
}

TEST_F(TraceStoreTest, an_analysis_that_needs_too_much_memory_stops_and_says_so) {
    settings.memory_limit_mib = 1; // less than the test itself has
    store.use(settings);
    test::write_file(trace, test::kRacy);
    tell(TraceChange::finished);
    ASSERT_TRUE(idle());
    ASSERT_EQ(store.reports(trace).size(), 1U);
    EXPECT_THAT(store.reports(trace)[0]->notes, testing::Contains(testing::HasSubstr("heddle.memoryLimit")));

    settings.memory_limit_mib = 100'000;
    store.use(settings);
    store.analyse_again();
    ASSERT_TRUE(idle());
    EXPECT_THAT(store.reports(trace)[0]->notes, testing::IsEmpty()) << "a part is not kept in the cache";
    EXPECT_GT(findings(trace), 0U);
}

} // namespace
} // namespace heddle::service
