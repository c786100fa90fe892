// What a thread repeats inside a transaction takes no memory of its own, and changes nothing that is known.
#include "analysis/analyzer.h"
#include "analysis/hard_order.h"
#include "analysis/phase_one.h"
#include "random_traces.h"
#include "small_traces.h"
#include "traces/trace_builder.h"

#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing_support::random_traces;
using testing_support::text_of;

/// Two threads, of which one seldom synchronises and often holds locks; all that they do, they do again.
class Repeating {
  public:
    explicit Repeating(std::uint64_t seed) : random_(seed) {
        for (const char* thread : {"T0", "T1"})
            static_cast<void>(builder_.object_named(ObjectKind::thread, thread));
        for (const char* lock : {"l", "m"}) static_cast<void>(builder_.object_named(ObjectKind::lock, lock));
        for (const char* variable : {"x", "y"})
            static_cast<void>(builder_.object_named(ObjectKind::variable, variable));
        for (const char* place : {"a", "b", "c"})
            stacks_.push_back(
                builder_.stack({.place = builder_.place({.label = builder_.string(place)}), .caller = {}}));
    }

    void hold_lock() { add(0, EventKind::acquire, 0); }
    void access(std::size_t thread) {
        static constexpr EventKind kKinds[] = {EventKind::read, EventKind::write, EventKind::atomic_load,
                                               EventKind::atomic_store, EventKind::atomic_rmw};
        // Kinds that are likely in turn: long runs of alike accesses are what programs have.
        if (one_in(6)) kinds_ = 1 + below(5);
        add(thread, kKinds[below(kinds_)], below(2));
    }
    void step() {
        if (!one_in(12)) return access(one_in(8) ? 1 : 0);
        if (one_in(4)) {
            add(0, in_block_ ? EventKind::txn_end : EventKind::txn_begin, {});
            in_block_ = !in_block_;
            return;
        }
        const std::size_t lock = below(2);
        add(0, held_[lock] ? EventKind::release : EventKind::acquire, lock);
        held_[lock] = !held_[lock];
    }
    [[nodiscard]] Trace trace() { return builder_.snapshot(); }

  private:
    [[nodiscard]] std::size_t below(std::size_t limit) { return random_() % limit; }
    [[nodiscard]] bool one_in(std::size_t count) { return below(count) == 0; }
    void add(std::size_t thread, EventKind kind, std::optional<std::size_t> target) {
        Event event;
        event.thread = ThreadId{thread};
        event.kind = kind;
        if (target) event.target = static_cast<std::uint32_t>(*target);
        if (is_access(kind) && one_in(3)) event.bytes = {.offset = 4, .size = 4};
        event.stack = stacks_[below(stacks_.size())];
        builder_.add(event);
    }

    std::mt19937_64 random_;
    TraceBuilder builder_;
    std::vector<StackId> stacks_;
    std::size_t kinds_ = 5;
    bool held_[2] = {};
    bool in_block_ = false;
};

using Cell = std::tuple<AccessKey::Words, EventId, std::uint32_t, std::uint32_t, std::uint32_t, bool>;
using Pair = std::tuple<CellId, CellId, EventId, EventId, ProfileId, FutureId, std::uint32_t, std::uint32_t,
                        bool, bool>;

std::vector<Cell> cells_of(const PhaseOne::Sets& sets) {
    std::vector<Cell> result;
    for (std::size_t i = 0; i < sets.cells.size(); ++i) {
        const AccessCell& cell = sets.cells[CellId{i}];
        result.emplace_back(cell.words(), cell.first, cell.index, cell.sync, cell.count, cell.scattered);
    }
    return result;
}

std::vector<Pair> pairs_of(const PhaseOne::Sets& sets) {
    std::vector<Pair> result;
    for (std::size_t i = 0; i < sets.pairs.all().size(); ++i) {
        const TransactionPair& pair = sets.pairs.all()[i];
        result.emplace_back(pair.first_cell, pair.second_cell, pair.first, pair.second, pair.profile,
                            pair.future, pair.next, pair.cells_before, pair.repeated, pair.exact);
    }
    return result;
}

/// What the message of a test that failed can hold.
template<typename Row>
std::string first_difference(const std::vector<Row>& expected, const std::vector<Row>& actual) {
    if (expected.size() != actual.size())
        return std::to_string(actual.size()) + " instead of " + std::to_string(expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (expected[i] != actual[i])
            return "number " + std::to_string(i) + ": " + testing::PrintToString(actual[i]) + " instead of " +
                   testing::PrintToString(expected[i]);
    }
    return {};
}

TEST(StretchFolding, changes_neither_cells_nor_pairs) {
    std::size_t folded = 0;
    std::size_t repeated = 0;
    for (const std::uint64_t seed : random_traces(2'000)) {
        Repeating run(seed);
        for (int i = 0; i < 150; ++i) run.step();
        const Trace half = run.trace();
        for (int i = 0; i < 150; ++i) run.step();
        const Trace whole = run.trace();
        HardOrder order;
        order.extend(whole, SeedEdges(whole));
        const std::vector<bool> futures(2, seed % 2 == 0);
        PhaseOne plain({.futures = futures, .order = &order});
        PhaseOne folding({.futures = futures, .fold_from = 1, .order = &order});
        for (const Trace& trace : {half, whole}) {
            ASSERT_TRUE(plain.extend(trace));
            ASSERT_TRUE(folding.extend(trace));
            ASSERT_LE(folding.waiting(), plain.waiting());
            folded += plain.waiting() - folding.waiting();
            for (const std::size_t set : {0U, 1U}) {
                ASSERT_EQ(first_difference(cells_of(*plain.sets()[set]), cells_of(*folding.sets()[set])), "")
                    << "seed " << seed << "\n"
                    << text_of(trace);
                ASSERT_EQ(first_difference(pairs_of(*plain.sets()[set]), pairs_of(*folding.sets()[set])), "")
                    << "seed " << seed << "\n"
                    << text_of(trace);
                for (const Pair& pair : pairs_of(*plain.sets()[set])) repeated += std::get<8>(pair) ? 1U : 0U;
            }
        }
    }
    EXPECT_GT(folded, 0U);
    EXPECT_GT(repeated, 0U);
}

TEST(StretchFolding, what_waits_does_not_grow_with_a_section_that_repeats_itself) {
    Repeating run(1);
    run.hold_lock();
    PhaseOne accesses({.fold_from = 1'000});
    for (int step = 0; step < 4; ++step) {
        for (int i = 0; i < 50'000; ++i) run.access(0);
        ASSERT_TRUE(accesses.extend(run.trace()));
        EXPECT_LE(accesses.waiting(), 1'000U) << "after " << run.trace().size() << " events";
        EXPECT_GT(accesses.sets()[1]->pairs.all().size(), 0U);
    }
}

TEST(StretchFolding, a_stop_is_heard_while_what_is_open_is_looked_at) {
    Repeating run(1);
    run.hold_lock();
    for (std::size_t i = 0; i < 100; ++i) run.access(i % 2);
    const Trace trace = run.trace();
    Analyzer analyzer({});
    const Progress at_the_end = [](std::uint64_t done, std::uint64_t total) { return done < total; };
    EXPECT_THAT(analyzer.extend(trace, at_the_end).limits_reached,
                testing::ElementsAre(testing::StartsWith("the stop left out some of what threads did")));
    EXPECT_THAT(analyzer.extend(trace).limits_reached, testing::IsEmpty());
}

} // namespace
} // namespace heddle
