// What every witness must take, and its order, against the truth: where it contradicts itself there is no
// witness, wherever one begins to look.
#include "analysis/witness/forced_order.h"
#include "random_traces.h"
#include "small_traces.h"
#include "witness_oracle.h"

#include <string>
#include <string_view>

#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing_support::any_valued;
using testing_support::in_words;
using testing_support::Oracle;
using testing_support::random_traces;
using testing_support::small_trace;
using testing_support::text_of;
using testing_support::trace_of;
using testing_support::WitnessOracle;

struct Ordered {
    explicit Ordered(Trace run) : trace(std::move(run)), causality(trace) {
        index.extend(trace);
        order = DataOrder(trace, causality.seeds(), index);
    }
    [[nodiscard]] bool contradicts(const Property& property, std::size_t base = 0) const {
        return ForcedOrder(*causality.context(), index, order, property).contradicts(EventId{base}, 1000);
    }

    Trace trace;
    CausalityGraph causality;
    RunIndex index;
    DataOrder order;
};

TEST(ForcedOrder, what_has_a_witness_is_never_contradicted) {
    std::size_t without_witness = 0;
    std::size_t by_data_order = 0;
    std::size_t contradicted = 0;
    for (const std::uint64_t seed : random_traces(10'000)) {
        const Ordered run(small_trace(any_valued(seed)));
        WitnessOracle oracle(run.trace);
        const Oracle& all = oracle.synchronisation();
        for (const auto& properties :
             {all.all_races(), all.all_atomicity_violations(), all.all_deadlocks()}) {
            for (const Property& property : properties) {
                const bool witnessed = oracle.witnessed(property);
                without_witness += witnessed ? 0U : 1U;
                const bool allowed = run.order.allows(run.trace, property);
                ASSERT_TRUE(allowed || !witnessed) << "seed " << seed << " " << in_words(property) << "\n"
                                                   << text_of(run.trace);
                by_data_order += allowed ? 0U : 1U;
                contradicted += run.contradicts(property) ? 1U : 0U;
                for (std::size_t base = 0; witnessed && base < run.trace.size(); ++base) {
                    ASSERT_FALSE(run.contradicts(property, base))
                        << "seed " << seed << " base " << base << " " << in_words(property) << "\n"
                        << text_of(run.trace);
                }
            }
        }
    }
    RecordProperty("without_witness", std::to_string(without_witness));
    RecordProperty("contradicted", std::to_string(contradicted));
    RecordProperty("by_data_order", std::to_string(by_data_order));
    EXPECT_GT(contradicted, by_data_order);
    EXPECT_GT(contradicted * 2, without_witness);
}

// --- the order of data alone ---------------------------------------------------------------------------

TEST(DataOrder, a_write_that_another_thread_has_undone_is_no_source) {
    // The second phase ends with the value that the first one ended with; in between it was set back.
    const auto race_is_allowed = [](const std::string& set_back) {
        const std::string text = "T0 w(done) =0\nT0 fork(T1)\nT1 w(done) =1\nT0 r(done) =1\n" + set_back +
                                 "T0 fork(T2)\nT2 w(x) @a\nT2 w(done) =1\nT0 r(done) =1\nT0 r(x) @b";
        const Ordered run(trace_of(text));
        const std::size_t write = set_back.empty() ? 5 : 6;
        return run.order.allows(run.trace, Race{EventId{write}, EventId{write + 3}});
    };
    EXPECT_FALSE(race_is_allowed("T0 w(done) =0\n"));
    EXPECT_TRUE(race_is_allowed(""));
    EXPECT_TRUE(race_is_allowed("T0 w(other) =0\n"));
}

// --- what it sees that the order of data alone does not ------------------------------------------------

bool race_is_contradicted(std::string_view text, std::size_t first, std::size_t second) {
    return Ordered(trace_of(text)).contradicts(Race{EventId{first}, EventId{second}});
}

TEST(ForcedOrder, a_section_that_must_be_over_lets_nobody_stay_in_it) {
    // T2 comes to its write only after T3 had the lock; T1 would still have it.
    const auto with = [](const std::string& seen) {
        return race_is_contradicted("T1 acq(m)\nT1 w(s) =1\nT1 w(x) @a\nT1 rel(m)\nT3 acq(m)\n" + seen +
                                        "T3 w(go) =1\nT3 rel(m)\nT2 r(go) =1\nT2 w(x) @b",
                                    2, seen.empty() ? 8 : 9);
    };
    EXPECT_TRUE(with("T3 r(s) =1\n"));
    EXPECT_FALSE(with("T3 r(t) =1\n")); // T3 may go first
    EXPECT_FALSE(with(""));
}

TEST(ForcedOrder, a_write_does_not_come_between_another_and_its_read) {
    // T2 read 1 before it had the lock, so T1 wrote 2 only after that.
    const auto with = [](const std::string& seen) {
        return race_is_contradicted("T1 w(f) =1\nT2 acq(m)\nT2 r(f) =" + seen +
                                        "\nT2 w(x) @a\nT2 rel(m)\nT1 w(f) =2\nT3 acq(m)\nT3 r(f) =2\n"
                                        "T3 w(go) =1\nT3 rel(m)\nT4 r(go) =1\nT4 w(x) @b",
                                    3, 11);
    };
    EXPECT_TRUE(with("1"));
}

} // namespace
} // namespace heddle
