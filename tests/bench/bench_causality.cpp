// What 5,000 properties cost in one shared causality graph, and one by one.
//   heddle_bench_causality chopped|entangled EVENTS PROPERTIES
// Prints how many properties there are; in seconds, all of them in one shared graph, each with
// CausalityGraph::decide, each with a graph of its own (from a sample); how many are refuted; and the size of
// their windows on average. All three ways must come to the same verdicts, or it fails.
//
// chopped    a run as servers make them: windows of a few events
// entangled  threads also wait for each other, do not nest their locks, and T0 takes a lock before it forks
//            and keeps it: no barrier lies between the start and a property, so that is where windows begin
#include "analysis/ucg_shared.h"
#include "traces/generator.h"
#include "traces/trace_builder.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <random>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace heddle {
namespace {

/// Of the processor: what else runs on the machine does not matter.
double seconds_of(const auto& work) {
    const std::clock_t start = std::clock();
    work();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

constexpr std::size_t kSample = 20; ///< properties that get a graph of their own
constexpr std::size_t kNear = 16;   ///< how many accesses of its variable later the second one is at most

struct Access {
    EventId event;
    ThreadId thread;
    bool writes = false;
    std::vector<std::uint32_t> locks;
};

std::vector<std::vector<Access>> accesses_by_variable(const Trace& trace) {
    std::vector<std::vector<Access>> result(trace.objects(ObjectKind::variable).size());
    std::vector<std::vector<std::uint32_t>> held(trace.thread_count());
    for (const EventView event : trace.events()) {
        auto& locks = held[event.thread().value];
        switch (event.kind()) {
        case EventKind::acquire:
        case EventKind::acquire_shared: locks.push_back(event.lock().value); break;
        case EventKind::release:
        case EventKind::release_shared: std::erase(locks, event.lock().value); break;
        case EventKind::read:
        case EventKind::write:
            result[event.variable().value].push_back(
                {event.id(), event.thread(), event.kind() == EventKind::write, locks});
            break;
        default: break;
        }
    }
    return result;
}

/// Pairs of accesses at random, not far from each other, that conflict, have locks and none in common.
std::vector<Property> race_candidates(const Trace& trace, std::size_t count) {
    const auto accesses = accesses_by_variable(trace);
    std::mt19937_64 random(1);
    std::set<std::pair<EventId, EventId>> chosen;
    for (std::size_t tries = 0; tries < 1000 * count && chosen.size() < count; ++tries) {
        const auto& variable = accesses[random() % accesses.size()];
        if (variable.empty()) continue;
        const std::size_t at = random() % variable.size();
        const Access& a = variable[at];
        const Access& b = variable[std::min(at + 1 + random() % kNear, variable.size() - 1)];
        if (a.thread == b.thread || (!a.writes && !b.writes) || a.locks.empty() || b.locks.empty()) continue;
        if (std::ranges::find_first_of(a.locks, b.locks) != a.locks.end()) continue;
        chosen.emplace(std::min(a.event, b.event), std::max(a.event, b.event));
    }
    std::vector<Property> properties;
    properties.reserve(chosen.size());
    for (const auto& [first, second] : chosen) properties.emplace_back(Race{first, second});
    return properties;
}

GeneratorSettings settings_for(std::string_view kind, std::uint64_t events) {
    GeneratorSettings settings = realistic();
    settings.seed = 7;
    settings.events = events;
    settings.race_rate = 0.2;
    settings.max_lock_depth = 3;
    if (kind == "entangled") {
        settings.conditions = 4;
        settings.nested = false;
    }
    return settings;
}

/// The same run, but its first thread takes a lock before everything else and keeps it to the end.
Trace under_one_lock(const Trace& trace) {
    TraceBuilder builder;
    for (std::size_t kind = 0; kind < kObjectKinds; ++kind)
        for (std::size_t k = 0; k < trace.objects(static_cast<ObjectKind>(kind)).size(); ++k)
            builder.add_object(static_cast<ObjectKind>(kind), {});
    const std::uint32_t lock = builder.add_object(ObjectKind::lock, {});
    builder.add({.kind = EventKind::acquire, .thread = ThreadId{0U}, .target = lock});
    for (const EventView event : trace.events())
        builder.add({.kind = event.kind(),
                     .thread = event.thread(),
                     .target = event.target(),
                     .order = event.order(),
                     .bytes = event.bytes(),
                     .value = event.has_value() ? std::optional(event.raw_value()) : std::nullopt});
    return builder.snapshot();
}

} // namespace

int run(std::string_view kind, std::uint64_t events, std::uint64_t wanted) {
    Trace trace = generate(settings_for(kind, events));
    if (kind == "entangled") trace = under_one_lock(trace);
    const std::vector<Property> properties = race_candidates(trace, wanted);
    if (properties.empty()) return 1;

    const CausalityGraph graph(trace);
    std::size_t window = 0;
    std::vector<std::size_t> sample;
    for (std::size_t k = 0; k < kSample; ++k) sample.push_back(k * properties.size() / kSample);
    for (const std::size_t k : sample) window += graph.window_size(properties[k]);

    std::vector<UcgVerdict> together = decide_all(graph, properties); // so that all find warm caches
    const double shared = seconds_of([&] { together = decide_all(graph, properties); });
    std::size_t refuted = 0;
    const double one_by_one = seconds_of([&] {
        for (std::size_t k = 0; k < properties.size(); ++k) {
            const bool feasible = graph.decide(properties[k]).feasible;
            if (feasible != together[k].feasible) std::exit(1);
            refuted += feasible ? 0U : 1U;
        }
    });
    const double some_graphs = seconds_of([&] {
        for (const std::size_t k : sample)
            if (CausalityGraph(trace).decide(properties[k]).feasible != together[k].feasible) std::exit(1);
    });
    fmt::print("{} {:.6f} {:.6f} {:.6f} {} {}\n", properties.size(), shared, one_by_one,
               some_graphs * static_cast<double>(properties.size()) / kSample, refuted, window / kSample);
    return 0;
}

} // namespace heddle

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    return heddle::run(argv[1], std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10));
}
