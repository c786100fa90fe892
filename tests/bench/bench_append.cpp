// What it costs to extend an analysis by a percent of a trace, against a fresh one of the whole:
//   heddle_bench_append EVENTS
// prints in seconds the best of three fresh ones, the mean of the last ten percents, each appended alone, and
// the best of three passes of phase I alone; all on one processor.
#include "analysis/analyzer.h"
#include "traces/generator.h"
#include "traces/trace_builder.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace heddle {
namespace {

/// The same run, taken down again: all objects and places are known from the start.
class Replay {
  public:
    explicit Replay(Trace whole) : whole_(std::move(whole)) {
        for (std::size_t kind = 0; kind < kObjectKinds; ++kind) {
            const auto which = static_cast<ObjectKind>(kind);
            for (std::uint32_t id = 0; id < whole_.objects(which).size(); ++id)
                static_cast<void>(builder_.object_named(which, whole_.display_name(which, id)));
        }
        for (const Stack& stack : whole_.stacks()) {
            const std::string place = whole_.place_text(stack.place);
            stacks_.push_back(
                builder_.stack({.place = builder_.place({.label = builder_.string(place)}), .caller = {}}));
        }
    }
    /// A trace that extends the one of the call before.
    [[nodiscard]] Trace percent(std::size_t percent) {
        const std::size_t size = whole_.size() * percent / 100;
        for (const EventView event : whole_.events(EventId{size_}, EventId{size})) {
            Event copy = whole_.spelled_out(event);
            if (copy.stack.valid()) copy.stack = stacks_[copy.stack.value];
            builder_.add(copy);
        }
        size_ = size;
        return builder_.snapshot();
    }

  private:
    Trace whole_;
    TraceBuilder builder_;
    std::vector<StackId> stacks_;
    std::size_t size_ = 0;
};

template<typename Work>
double seconds(Work work) {
    const auto started = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

double phase_one_seconds(const Trace& trace) {
    const SeedEdges seeds(trace);
    HardOrder order;
    order.extend(trace, seeds);
    double best = 1e9;
    for (int run = 0; run < 3; ++run) {
        PhaseOne accesses({.order = &order});
        best = std::min(best, seconds([&] { accesses.extend(trace); }));
    }
    return best;
}

} // namespace

int run(std::uint64_t events) {
    GeneratorSettings settings = realistic();
    settings.seed = 7;
    settings.events = events;
    Replay replay(generate(settings));
    constexpr std::size_t kAppended = 10;
    const AnalyzeOptions options{.refuted = false};
    Analyzer analyzer(options);
    analyzer.extend(replay.percent(100 - kAppended));
    double append = 0;
    Trace trace;
    for (std::size_t percent = 100 - kAppended + 1; percent <= 100; ++percent) {
        trace = replay.percent(percent);
        append += seconds([&] { analyzer.extend(trace); }) / kAppended;
    }
    double fresh = seconds([&] { static_cast<void>(analyze(trace, options)); });
    for (int run = 0; run < 2; ++run)
        fresh = std::min(fresh, seconds([&] { static_cast<void>(analyze(trace, options)); }));
    std::printf("%.6f %.6f %.6f\n", fresh, append, phase_one_seconds(trace));
    return 0;
}

} // namespace heddle

int main(int argc, char** argv) {
    return heddle::run(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000);
}
