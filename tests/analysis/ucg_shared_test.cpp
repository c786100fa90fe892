// One causality graph for many properties: equal, for each, to the graph of that property alone; chopped
// equal to unchopped; properties that come and go; and brute force.
#include "analysis/ucg_shared.h"
#include "oracle.h"
#include "random_traces.h"
#include "small_traces.h"
#include "traces/generator.h"

#include <iostream>
#include <random>
#include <sstream>

#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing_support::any_small;
using testing_support::in_words;
using testing_support::Oracle;
using testing_support::random_traces;
using testing_support::small_trace;
using testing_support::SmallTraceOptions;
using testing_support::text_of;
using testing_support::trace_of;

/// Shares whatever can be shared, however short the windows.
constexpr SharedCausalityGraph::Options kShareAll = {.short_window = 0};

std::vector<Property> all_properties(const Oracle& oracle) {
    std::vector<Property> all = oracle.all_races();
    for (const auto& more : {oracle.all_atomicity_violations(), oracle.all_deadlocks()})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

std::string shown(const std::optional<UcgProjection>& projection) {
    if (!projection) return "refuted";
    std::ostringstream text;
    for (const UcgProjection::Node& node : projection->nodes) {
        text << node.event.value << " after";
        for (const auto& [thread, bound] : node.after) text << " T" << thread.value << "<" << bound;
        text << "\n";
    }
    return text.str();
}

/// Traces with long windows: locks that overlap, few points at which none is held.
SmallTraceOptions entangled(std::uint64_t seed) {
    SmallTraceOptions options = any_small(seed);
    options.events = options.threads == 2 ? 40 : options.threads == 3 ? 32 : 26;
    options.locks = 3;
    options.nested = false;
    if (seed % 8 == 1) options.semaphores = true;
    return options;
}

/// T1's section comes first when T2 goes on to the join, and only then: the edge is not one of all
/// properties.
TEST(UcgShared, an_edge_holds_where_the_event_runs_that_it_rests_on) {
    const Trace trace = trace_of(R"(
        T1 w(y)
        T1 acq(l)
        T1 rel(l)
        T1 w(z)
        T2 acq(l)
        T2 w(y)
        T2 join(T1)
        T2 w(z)
        T2 rel(l)
    )");
    SharedCausalityGraph shared(CausalityGraph(trace), kShareAll);
    const PropertyId before_join = shared.add(Race{EventId{0U}, EventId{5U}});
    const PropertyId after_join = shared.add(Race{EventId{3U}, EventId{7U}});
    EXPECT_TRUE(shared.verdict(before_join).feasible);
    EXPECT_FALSE(shared.verdict(after_join).feasible);
    EXPECT_EQ(shared.sizes().segments, 1U);
    EXPECT_FALSE(shared.explained(after_join).cycle.empty());
}

/// No synchronisation lies between them.
TEST(UcgShared, properties_of_one_shape_are_decided_once) {
    const Trace trace = trace_of(R"(
        T1 acq(l)
        T1 w(x)
        T1 w(x)
        T1 rel(l)
        T2 w(x)
        T2 w(x)
    )");
    SharedCausalityGraph shared(CausalityGraph(trace), kShareAll);
    for (const std::uint32_t mine : {1U, 2U})
        for (const std::uint32_t other : {4U, 5U})
            EXPECT_TRUE(shared.verdict(shared.add(Race{EventId{mine}, EventId{other}})).feasible);
    EXPECT_EQ(shared.sizes().properties, 4U);
    EXPECT_EQ(shared.sizes().shapes, 1U);
}

TEST(UcgShared, decides_alone_what_would_be_too_large_to_share) {
    const Trace trace = small_trace(entangled(3));
    const CausalityGraph graph(trace);
    const std::vector<Property> all = all_properties(Oracle(trace));
    for (const SharedCausalityGraph::Options options :
         {SharedCausalityGraph::Options{.short_window = 0, .max_segment = 10},
          SharedCausalityGraph::Options{.short_window = 0, .max_strands = 1}}) {
        SharedCausalityGraph shared(graph, options);
        for (const Property& property : all) {
            const PropertyId id = shared.add(property);
            EXPECT_EQ(shared.projection(id), graph.projection(property)) << in_words(property);
        }
        EXPECT_EQ(shared.sizes().segments, 0U);
    }
}

TEST(UcgShared, projects_to_the_graph_of_each_property_alone) {
    std::size_t properties = 0;
    std::size_t refuted = 0;
    std::size_t edges = 0;
    for (const std::uint64_t seed : random_traces(6'000)) {
        const Trace trace = small_trace(seed % 2 == 0 ? any_small(seed) : entangled(seed));
        const CausalityGraph graph(trace);
        SharedCausalityGraph shared(graph, kShareAll);
        const std::vector<Property> all = all_properties(Oracle(trace));
        for (const Property& property : all) static_cast<void>(shared.add(property));
        for (std::size_t k = 0; k < all.size(); ++k) {
            const PropertyId id(k);
            const std::optional<UcgProjection> alone = graph.projection(all[k]);
            ASSERT_EQ(shared.verdict(id).feasible, alone.has_value())
                << "seed " << seed << ", " << in_words(all[k]) << "\n"
                << text_of(trace);
            const std::optional<UcgProjection> projected = shared.projection(id);
            ASSERT_EQ(projected, alone) << "seed " << seed << ", " << in_words(all[k]) << "\n"
                                        << text_of(trace) << "shared\n"
                                        << shown(projected) << "alone\n"
                                        << shown(alone);
            ++properties;
            refuted += alone ? 0U : 1U;
            if (!alone) continue;
            for (const UcgProjection::Node& node : alone->nodes) edges += node.after.size();
        }
    }
    std::cout << properties << " properties, " << refuted << " refuted, " << edges
              << " clock components compared\n";
}

/// Pairs and triples of accesses to one variable, whether or not anybody would ask about them.
std::vector<Property> some_properties(const Trace& trace, std::mt19937_64& random) {
    std::vector<std::vector<EventId>> accesses(trace.objects(ObjectKind::variable).size());
    for (const EventView event : trace.events())
        if (event.kind() == EventKind::read || event.kind() == EventKind::write)
            accesses[event.variable().value].push_back(event.id());
    std::erase_if(accesses, [](const auto& list) { return list.size() < 3; });
    std::vector<Property> properties;
    for (int tries = 0; tries < 200 && !accesses.empty(); ++tries) {
        const auto& list = accesses[random() % accesses.size()];
        const std::size_t at = random() % (list.size() - 2);
        const EventId a = list[at];
        const EventId b = list[at + 1 + random() % (list.size() - at - 2)];
        const EventId c = list.back();
        if (trace[a].thread() != trace[b].thread()) properties.emplace_back(Race{a, b});
        if (trace[a].thread() == trace[b].thread() && trace[a].thread() != trace[c].thread())
            properties.emplace_back(AtomicityViolation{a, c, b});
        if (trace[a].thread() == trace[c].thread() && trace[a].thread() != trace[b].thread())
            properties.emplace_back(AtomicityViolation{a, b, c});
    }
    return properties;
}

TEST(UcgShared, projects_to_the_graph_of_each_property_alone_in_longer_runs) {
    std::size_t feasible = 0;
    for (const std::uint64_t seed : random_traces(300)) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Trace trace = generate(every_kind(seed));
        const CausalityGraph graph(trace);
        std::mt19937_64 random(seed);
        SharedCausalityGraph shared(graph, {.short_window = random() % 8});
        const std::vector<Property> properties = some_properties(trace, random);
        for (const Property& property : properties) static_cast<void>(shared.add(property));
        for (std::size_t k = 0; k < properties.size(); ++k) {
            const std::optional<UcgProjection> alone = graph.projection(properties[k]);
            ASSERT_EQ(shared.projection(PropertyId{k}), alone) << in_words(properties[k]);
            feasible += alone ? 1U : 0U;
        }
    }
    std::cout << feasible << " feasible properties\n";
}

TEST(UcgShared, chopped_is_unchopped) {
    for (const std::uint64_t seed : random_traces(6'000)) {
        const Trace trace = small_trace(seed % 2 == 0 ? any_small(seed) : entangled(seed));
        const CausalityGraph graph(trace);
        for (const Property& property : all_properties(Oracle(trace)))
            ASSERT_EQ(graph.decide(property).feasible, graph.decide_unchopped(property).feasible)
                << "seed " << seed << ", " << in_words(property) << "\n"
                << text_of(trace);
    }
}

TEST(UcgShared, agrees_with_the_truth) {
    for (const std::uint64_t seed : random_traces(4'000)) {
        const SmallTraceOptions options = seed % 2 == 0 ? any_small(seed) : entangled(seed);
        const Trace trace = small_trace(options);
        const Oracle oracle(trace);
        SharedCausalityGraph shared(CausalityGraph(trace), kShareAll);
        const std::vector<Property> all = all_properties(oracle);
        for (const Property& property : all) static_cast<void>(shared.add(property));
        for (std::size_t k = 0; k < all.size(); ++k) {
            const bool truth = *oracle.feasible(all[k]);
            const bool feasible = shared.verdict(PropertyId{k}).feasible;
            ASSERT_TRUE(feasible || !truth) << "seed " << seed << ", " << in_words(all[k]) << " is feasible\n"
                                            << text_of(trace);
            ASSERT_TRUE(options.threads > 2 || feasible == truth)
                << "seed " << seed << ", " << in_words(all[k]) << " is infeasible\n"
                << text_of(trace);
        }
    }
}

TEST(UcgShared, does_not_care_in_which_order_properties_come_and_go) {
    for (const std::uint64_t seed : random_traces(2'000)) {
        const Trace trace = small_trace(seed % 2 == 0 ? any_small(seed) : entangled(seed));
        const CausalityGraph graph(trace);
        const std::vector<Property> all = all_properties(Oracle(trace));
        if (all.empty()) continue;
        SharedCausalityGraph shared(graph, kShareAll);
        std::mt19937_64 random(seed);
        std::vector<std::pair<PropertyId, Property>> present;
        for (int step = 0; step < 60; ++step) {
            if (!present.empty() && random() % 3 == 0) {
                std::swap(present[random() % present.size()], present.back());
                shared.remove(present.back().first);
                present.pop_back();
            } else {
                const Property& property = all[random() % all.size()];
                present.emplace_back(shared.add(property), property);
            }
            if (present.empty()) continue;
            const auto& [id, property] = present[random() % present.size()];
            ASSERT_EQ(shared.projection(id), graph.projection(property))
                << "seed " << seed << ", " << in_words(property) << "\n"
                << text_of(trace);
        }
        ASSERT_EQ(shared.sizes().properties, present.size());
        for (const auto& [id, property] : present) shared.remove(id);
        ASSERT_EQ(shared.sizes().segments, 0U);
    }
}

} // namespace
} // namespace heddle
