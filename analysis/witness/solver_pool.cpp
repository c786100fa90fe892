#include "analysis/witness/solver_pool.h"

#include "analysis/ucg_window.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace heddle {

namespace {

bool holds(const Window& window, const Window& other) {
    return window.base <= other.base && window.complete == other.complete &&
           std::ranges::equal(window.ends, other.ends, std::greater_equal{});
}

Window united(Window window, const Window& other) {
    window.base = std::min(window.base, other.base);
    for (std::size_t thread = 0; thread < window.ends.size(); ++thread)
        window.ends[thread] = std::max(window.ends[thread], other.ends[thread]);
    return window;
}

} // namespace

std::size_t SolverPool::size_of(const Window& window) const {
    const Trace& trace = causality_.context()->trace;
    std::size_t events = 0;
    for (std::uint32_t thread = 0; thread < window.ends.size(); ++thread)
        events +=
            window.ends[thread] -
            std::min(window.ends[thread], count_before(trace.events_of(ThreadId{thread}), window.base.value));
    return events;
}

void SolverPool::expect(const Window& window) {
    for (Shared& one : all_) {
        if (one.window.complete != window.complete) continue;
        Window both = united(one.window, window);
        if (size_of(both) > limits_.max_events) continue;
        one.window = std::move(both);
        return;
    }
    all_.push_back({window, nullptr});
}

WindowSolver& SolverPool::of(const Window& window) {
    auto one = std::ranges::find_if(all_, [&](const Shared& shared) { return holds(shared.window, window); });
    if (one == all_.end()) one = all_.insert(all_.end(), {window, nullptr});
    if (!one->solver) one->solver = std::make_unique<WindowSolver>(causality_, index_, one->window, limits_);
    return *one->solver;
}

} // namespace heddle
