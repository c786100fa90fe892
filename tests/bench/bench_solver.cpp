// What a query of the solver costs, by the size of its window.
//   heddle_bench_solver plain|data|entangled EVENTS QUERIES [RUN]
// The window has EVENTS events, in the middle of a run of RUN events; without RUN it is the whole run. The
// queries are candidates that the causality graph keeps, half of them races, half atomicity violations, all
// asked of one solver. Prints how many there were; how many were found, ruled out and given up; in
// milliseconds, what a query takes at the median, for nine of ten and at most; and in MiB what Z3 has
// allocated at the end.
//
// plain      critical sections over several locks, few races
// data       a quarter of the accesses are made without a lock, to few variables: values decide
// entangled  conditions, barriers and semaphores as well
#include "analysis/witness/solver.h"
#include "traces/generator.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <random>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <z3.h>

namespace heddle {
namespace {

GeneratorSettings settings_of(std::string_view kind, std::uint64_t events) {
    GeneratorSettings settings{.seed = 7, .events = events, .threads = 5};
    settings.locks = 6;
    settings.transactions = 0.3;
    settings.race_rate = kind == "plain" ? 0.02 : 0.25;
    settings.variables = kind == "plain" ? 12 : 4;
    if (kind == "entangled") {
        settings.conditions = settings.barriers = settings.semaphores = 1;
        settings.nested = false;
    }
    return settings;
}

/// Accesses from the base on, at random, that the causality graph lets meet.
std::vector<Property> candidates(const Trace& trace, const CausalityGraph& causality, EventId base,
                                 std::size_t events, std::size_t count) {
    std::vector<std::vector<EventId>> accesses(trace.objects(ObjectKind::variable).size());
    for (const EventView event : trace.events(base, EventId{base.value + events}))
        if (is_access(event.kind())) accesses[event.target()].push_back(event.id());
    std::mt19937_64 random(1);
    std::vector<Property> result;
    for (std::size_t tries = 0; tries < 2000 * count && result.size() < count; ++tries) {
        const auto& variable = accesses[random() % accesses.size()];
        std::array<EventId, 3> at;
        for (EventId& event : at) event = variable.empty() ? EventId{} : variable[random() % variable.size()];
        if (!at[0].valid()) continue;
        std::ranges::sort(at);
        const EventView a = trace[at[0]];
        const EventView b = trace[at[1]];
        const EventView c = trace[at[2]];
        Property property = Race{a.id(), b.id()};
        bool fits = a.thread() != b.thread() && (writes_memory(a.kind()) || writes_memory(b.kind()));
        if (result.size() % 2 == 1) {
            const auto pattern =
                atomicity_pattern(writes_memory(a.kind()), writes_memory(b.kind()), writes_memory(c.kind()));
            fits = a.thread() == c.thread() && a.thread() != b.thread() && pattern.has_value();
            if (fits) property = AtomicityViolation{a.id(), b.id(), c.id(), *pattern};
        }
        if (fits && causality.decide(property).feasible) result.push_back(property);
    }
    return result;
}

int run(std::string_view kind, std::uint64_t events, std::size_t count, std::uint64_t length) {
    const Trace trace = generate(settings_of(kind, length));
    const std::uint64_t size = std::min<std::uint64_t>(events, trace.size());
    const CausalityGraph causality(trace);
    RunIndex index;
    index.extend(trace);
    const EventId base{static_cast<std::size_t>(length == events ? 0 : (trace.size() - size) / 2)};
    Window window{.base = base, .ends = {}, .complete = base.value == 0};
    const auto end = static_cast<std::uint32_t>(length == events ? trace.size() : base.value + size);
    for (std::size_t thread = 0; thread < trace.thread_count(); ++thread)
        window.ends.push_back(count_before(trace.events_of(ThreadId{thread}), end));
    WindowSolver solver(causality, index, window);
    std::vector<double> times;
    std::array<std::size_t, 4> outcomes{};
    for (const Property& property : candidates(trace, causality, base, end - base.value, count)) {
        const auto lemmas = causality.projection(property);
        const auto start = std::chrono::steady_clock::now();
        const SolverAnswer answer = solver.solve(property, lemmas ? &*lemmas : nullptr);
        times.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        ++outcomes[static_cast<std::size_t>(answer.outcome)];
    }
    std::ranges::sort(times);
    if (times.empty()) return 1;
    fmt::print("{} queries: {} found, {} ruled out, {} given up; {:.1f} {:.1f} {:.1f} ms; {:.1f} MiB\n",
               times.size(), outcomes[0], outcomes[1] + outcomes[2], outcomes[3], times[times.size() / 2],
               times[times.size() * 9 / 10], times.back(),
               static_cast<double>(Z3_get_estimated_alloc_size()) / (1024.0 * 1024.0));
    return 0;
}

} // namespace
} // namespace heddle

int main(int argc, char** argv) {
    if (argc != 4 && argc != 5) return 2;
    const std::uint64_t events = std::strtoull(argv[2], nullptr, 10);
    return heddle::run(argv[1], events, std::strtoull(argv[3], nullptr, 10),
                       argc == 5 ? std::strtoull(argv[4], nullptr, 10) : events);
}
