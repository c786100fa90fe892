// Each stage of the search for witnesses alone, and its parts, on whole small traces.
#include "analysis/witness/checker.h"
#include "analysis/witness/history_schedule.h"
#include "analysis/witness/linearisation.h"
#include "analysis/witness/minimise.h"
#include "analysis/witness/prefix_extension.h"
#include "random_traces.h"
#include "small_traces.h"
#include "witness_oracle.h"

#include <array>
#include <iostream>
#include <optional>
#include <string>

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

std::vector<Property> properties_of(const Oracle& oracle) {
    std::vector<Property> result = oracle.all_races();
    for (const auto& more : {oracle.all_atomicity_violations(), oracle.all_deadlocks()})
        result.insert(result.end(), more.begin(), more.end());
    return result;
}

TEST(WitnessStages, find_witnesses_only_and_the_third_all_of_them) {
    std::array<std::size_t, 3> found{};
    std::size_t exist = 0;
    std::size_t refuted = 0;
    std::size_t only_read_off = 0;
    std::size_t worse = 0; ///< than the fewest changes, when minimised
    for (const std::uint64_t seed : random_traces(3'000)) {
        const Trace trace = small_trace(any_valued(seed));
        WitnessOracle oracle(trace);
        ASSERT_FALSE(oracle.too_large());
        const CausalityGraph graph(trace);
        RunIndex index;
        index.extend(trace);
        const WindowMaker windows(trace, graph, index);
        for (const Property& property : properties_of(oracle.synchronisation())) {
            const auto projection = graph.projection(property);
            if (!projection) continue;
            const std::string where =
                "seed " + std::to_string(seed) + " " + in_words(property) + "\n" + text_of(trace);
            const auto fewest = oracle.fewest_switches(property);
            const Window window = windows.whole(property, EventId{0U});
            auto program = make_program(trace, graph, index, property, window, 1000);
            ASSERT_TRUE(program) << where;
            exist += fewest ? 1U : 0U;
            refuted += fewest ? 0U : 1U;
            const auto check = [&](const std::optional<Interleaving>& run, std::size_t stage) {
                if (!run) return;
                ++found[stage];
                const Interleaving less = minimise(*program, *run, 4'000);
                ASSERT_LE(changes_in(less), *fewest + 2) << "stage " << stage << " " << where;
                const Schedule shorter = program->schedule(trace, less);
                ASSERT_TRUE(oracle.is_witness(property, shorter)) << "stage " << stage << " " << where;
                ASSERT_TRUE(check_witness(trace, property, shorter)) << where;
                worse += changes_in(less) > *fewest ? 1U : 0U;
                ASSERT_LE(shorter.steps.size(), program->schedule(trace, *run).steps.size()) << where;
                const Schedule schedule = program->schedule(trace, *run);
                ASSERT_TRUE(oracle.is_witness(property, schedule)) << "stage " << stage << " " << where;
                const auto checked = check_witness(trace, property, schedule);
                ASSERT_TRUE(checked) << checked.error().message << "\n" << where;
            };
            const auto along = extend_prefix(*program);
            const auto read_off = schedule_histories(*program);
            check(along, 0);
            check(read_off, 1);
            only_read_off += read_off && !along ? 1U : 0U;
            add_causality(*program, *projection, property);
            const Linearisation all = linearise(*program, {.steps = 1'000'000});
            ASSERT_NE(all.outcome, Linearisation::Outcome::gave_up) << where;
            ASSERT_EQ(all.outcome == Linearisation::Outcome::found, fewest.has_value()) << where;
            if (fewest) check(all.run, 2);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
    std::cout << "witnesses " << exist << ", none " << refuted << "; found by prefix extension " << found[0]
              << ", histories " << found[1] << " (alone " << only_read_off << ")"
              << ", linearisation " << found[2] << "; with more changes than needed " << worse << "\n";
}

} // namespace
} // namespace heddle
