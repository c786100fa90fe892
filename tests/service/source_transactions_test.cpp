// What the sources of a run say belongs together, read from files.
#include "analysis/analyze.h"
#include "daemon/report/make_report.h"
#include "daemon/report/source_transactions.h"
#include "test_files.h"
#include "traces/trace_builder.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace heddle::report {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kDoor = R"(static std::atomic<int> door;
bool enter() {
    if (door.load() != 1) return false;
    door.store(2);
    return true;
}
void lock_up() { door.store(3); }
)";

class SourceTransactionsTest : public testing::Test {
  protected:
    SourceTransactionsTest() {
        std::ofstream(source_) << kDoor;
        run_.metadata().start_time_unix_ns = now() + 3'600'000'000'000;
    }

    static std::int64_t now() {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(
                   std::chrono::system_clock::now().time_since_epoch())
            .count();
    }

    /// An access that the library makes for the program: `door.load()`.
    void access(std::uint32_t thread, EventKind kind, std::uint32_t line, std::uint32_t column) {
        const StackId caller = run_.stack({.place = run_.place({.function = run_.string("f"),
                                                                .file = run_.string(source_),
                                                                .line = line,
                                                                .column = column}),
                                           .caller = {}});
        const StackId stack =
            run_.stack({.place = run_.place({.function = run_.string("load"),
                                             .file = run_.string("/usr/include/c++/12/atomic"),
                                             .line = 10 + static_cast<std::uint32_t>(kind),
                                             .column = 5}),
                        .caller = caller});
        run_.add({.kind = kind,
                  .thread = ThreadId{run_.object_named(ObjectKind::thread, fmt::format("T{}", thread))},
                  .target = run_.object_named(ObjectKind::variable, "door"),
                  .stack = stack,
                  .order = MemoryOrder::seq_cst});
    }

    void record_door() {
        access(1, EventKind::atomic_load, 3, 9);
        access(1, EventKind::atomic_store, 4, 5);
        access(2, EventKind::atomic_store, 7, 18);
    }

    [[nodiscard]] Analysis analysed(bool infer = true) {
        SourceTransactions sources({}, {}, infer);
        const Trace trace = run_.snapshot();
        sources.extend(trace);
        return analyze(trace, {.source = sources.blocks(), .refuted = false, .witnesses = true});
    }

    test::TemporaryFolder folder_;
    std::string source_ = folder_.file("door.cpp");
    TraceBuilder run_;
};

TEST_F(SourceTransactionsTest, a_check_of_an_atomic_and_the_act_on_it) {
    record_door();
    const Analysis analysis = analysed();
    ASSERT_EQ(analysis.findings.size(), 1U);
    EXPECT_EQ(analysis.findings[0].intent(), Intent::inferred);
    EXPECT_EQ(analysis.findings[0].inferred, Inference::check_then_act);
    EXPECT_TRUE(std::holds_alternative<Witnessed>(analysis.findings[0].verdict));
    SourceExpressions none;
    const TraceReport report = make_report(run_.snapshot(), analysis, 10, none);
    EXPECT_EQ(report.findings[0].intent, Intent::inferred);
    EXPECT_THAT(report.findings[0].because, HasSubstr("checks, then acts"));
    EXPECT_THAT(report.findings[0].witness_json, HasSubstr(R"("intent":"inferred")"));
}

TEST_F(SourceTransactionsTest, is_not_asked_for) {
    record_door();
    EXPECT_THAT(analysed(false).findings, IsEmpty());
}

TEST_F(SourceTransactionsTest, a_text_that_was_changed_since_says_nothing) {
    record_door();
    run_.metadata().start_time_unix_ns = now() - 3'600'000'000'000;
    EXPECT_THAT(analysed().findings, IsEmpty());
    run_.metadata().start_time_unix_ns = std::nullopt; // who knows
    EXPECT_THAT(analysed().findings, IsEmpty());
}

TEST_F(SourceTransactionsTest, a_text_that_is_gone_says_nothing) {
    record_door();
    fs::remove(source_);
    EXPECT_THAT(analysed().findings, IsEmpty());
}

TEST_F(SourceTransactionsTest, grows_with_the_run) {
    SourceTransactions sources({}, {}, true);
    access(1, EventKind::atomic_load, 3, 9);
    sources.extend(run_.snapshot());
    EXPECT_EQ(sources.blocks()->stacks(), run_.snapshot().stacks().size());
    access(1, EventKind::atomic_store, 4, 5);
    const Trace trace = run_.snapshot();
    sources.extend(trace);
    EXPECT_EQ(sources.blocks()->inference(trace[EventId{0U}].stack(), trace[EventId{1U}].stack()),
              Inference::check_then_act);
    EXPECT_EQ(sources.blocks()->inference(trace[EventId{1U}].stack(), trace[EventId{0U}].stack()),
              std::nullopt);
}

} // namespace
} // namespace heddle::report
