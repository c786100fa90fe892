// The checker refuses what the oracle refuses: witnesses as they are, with two steps swapped, one dropped,
// one changed, and with another base.
#include "analysis/witness/checker.h"
#include "analysis/witness/linearisation.h"
#include "random_traces.h"
#include "small_traces.h"
#include "witness_oracle.h"

#include <random>

#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing_support::any_valued;
using testing_support::in_words;
using testing_support::random_traces;
using testing_support::small_trace;
using testing_support::text_of;
using testing_support::trace_of;
using testing_support::WitnessOracle;

std::vector<Schedule> mutations(const Schedule& witness, std::size_t events) {
    std::vector<Schedule> result = {witness};
    const std::size_t steps = witness.steps.size();
    for (std::size_t i = 0; i < steps; ++i) {
        result.push_back(witness);
        result.back().steps.erase(result.back().steps.begin() + static_cast<std::ptrdiff_t>(i));
        for (std::size_t k = i + 1; k < steps; ++k) {
            result.push_back(witness);
            std::swap(result.back().steps[i], result.back().steps[k]);
        }
    }
    for (std::size_t event = 0; event < events; ++event) {
        result.push_back(witness);
        result.back().steps.emplace_back(event);
        if (steps > 0) {
            result.push_back(witness);
            result.back().steps.back() = EventId{event};
        }
        result.push_back(witness);
        result.back().base = EventId{event};
        std::erase_if(result.back().steps, [&](EventId step) { return step.value < event; });
    }
    return result;
}

TEST(WitnessChecker, agrees_with_the_oracle_on_mutated_witnesses) {
    std::size_t accepted = 0;
    std::size_t refused = 0;
    for (const std::uint64_t seed : random_traces(1'500)) {
        const Trace trace = small_trace(any_valued(seed));
        WitnessOracle oracle(trace);
        const CausalityGraph causality(trace);
        RunIndex index;
        index.extend(trace);
        std::vector<Property> properties = oracle.synchronisation().all_races();
        for (const auto& more :
             {oracle.synchronisation().all_atomicity_violations(), oracle.synchronisation().all_deadlocks()})
            properties.insert(properties.end(), more.begin(), more.end());
        std::mt19937_64 random(seed);
        std::ranges::shuffle(properties, random);
        if (properties.size() > 4) properties.resize(4);
        std::vector<WitnessClaim> claims;
        for (const Property& property : properties) {
            const Window window = WindowMaker(trace, causality, index).whole(property, EventId{0U});
            const auto program = make_program(trace, causality, index, property, window, 1000);
            const Linearisation found = linearise(*program, {.steps = 100'000});
            if (found.outcome != Linearisation::Outcome::found) continue;
            for (Schedule& one : mutations(program->schedule(trace, found.run), trace.size()))
                claims.push_back({property, std::move(one)});
        }
        const auto results = check_witnesses(trace, claims);
        for (std::size_t i = 0; i < claims.size(); ++i) {
            const bool truth = oracle.is_witness(claims[i].property, claims[i].schedule);
            ++(truth ? accepted : refused);
            std::string steps = std::to_string(claims[i].schedule.base.value) + ":";
            for (const EventId step : claims[i].schedule.steps)
                steps.append(" ").append(std::to_string(step.value));
            ASSERT_EQ(results[i].has_value(), truth)
                << "seed " << seed << " " << in_words(claims[i].property) << " from " << steps << "\n"
                << text_of(trace);
        }
    }
    EXPECT_GT(accepted, 10'000U);
    EXPECT_GT(refused, 100'000U);
}

TEST(WitnessChecker, refuses_what_is_no_claim_at_all) {
    const Trace trace = trace_of("T1 w(x) =1\nT2 r(y) =0\nT2 w(x) =2\nT1 acq(l)\nT1 rel(l)");
    const auto refused = [&](const Property& property, Schedule schedule) {
        return !check_witness(trace, property, std::move(schedule));
    };
    const Race race{EventId{0U}, EventId{2U}};
    EXPECT_FALSE(refused(race, {EventId{0U}, {EventId{1U}}}));
    EXPECT_TRUE(refused(race, {EventId{9U}, {}}));                            // no such base
    EXPECT_TRUE(refused(race, {EventId{0U}, {EventId{1U}, EventId{77U}}}));   // no such step
    EXPECT_TRUE(refused(Race{EventId{0U}, EventId{77U}}, {EventId{0U}, {}})); // no such event
    EXPECT_TRUE(refused(Race{EventId{0U}, EventId{1U}}, {EventId{0U}, {}}));  // no conflict
    EXPECT_TRUE(refused(AtomicityViolation{EventId{0U}, EventId{2U}, EventId{0U}}, {EventId{0U}, {}}));
    EXPECT_TRUE(refused(Deadlock{{{EventId{3U}, EventId{3U}}}}, {EventId{3U}, {}})); // one thread
    EXPECT_TRUE(refused(Deadlock{}, {EventId{0U}, {}}));
}

TEST(WitnessChecker, says_what_is_wrong) {
    const Trace trace = trace_of("T1 acq(l)\nT1 w(x) =1\nT1 rel(l)\nT2 acq(l)\nT2 rel(l)\nT2 w(x) =2");
    const auto why = [&](std::vector<std::size_t> steps) {
        Schedule schedule;
        for (const std::size_t step : steps) schedule.steps.emplace_back(step);
        const auto result = check_witness(trace, Race{EventId{1U}, EventId{5U}}, schedule);
        return result ? std::string() : result.error().message;
    };
    EXPECT_EQ(why({3, 4, 0}), "");
    EXPECT_THAT(why({0, 3, 4}), testing::HasSubstr("asks for a lock that T1 holds"));
    EXPECT_THAT(why({3, 0, 4}), testing::HasSubstr("asks for a lock that T2 holds"));
    EXPECT_THAT(why({4, 0}), testing::HasSubstr("not the next event of its thread"));
    EXPECT_THAT(why({3, 4}), testing::HasSubstr("event 1 is the next of its thread"));
}

} // namespace
} // namespace heddle
