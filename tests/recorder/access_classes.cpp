#include "access_classes.h"

#include "program_names.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

namespace heddle::test {

namespace {

struct ThreadState {
    std::set<std::string> held;
    std::size_t synchronisations = 0;
};

void follow(ThreadState& state, const EventView& event, ProgramNames& names) {
    switch (event.kind()) {
    case EventKind::acquire:
    case EventKind::acquire_shared: state.held.insert(names.target(event)); break;
    case EventKind::release:
    case EventKind::release_shared: state.held.erase(names.target(event)); break;
    case EventKind::alloc:
    case EventKind::free: return;
    case EventKind::fork: static_cast<void>(names.target(event)); break; // numbers the thread
    default: break;
    }
    ++state.synchronisations;
}

/// Who was forked and joined before what: a clock for each thread.
class ForkJoinOrder {
  public:
    explicit ForkJoinOrder(const Trace& trace)
        : clocks_(trace.thread_count(), std::vector<std::uint32_t>(trace.thread_count())) {
        for (std::size_t i = 0; i < clocks_.size(); ++i) clocks_[i][i] = 1;
    }
    void follow(const EventView& event) {
        if (event.kind() != EventKind::fork && event.kind() != EventKind::join) return;
        auto& own = clocks_[event.thread().value];
        auto& other = clocks_[event.other_thread().value];
        auto& later = event.kind() == EventKind::fork ? other : own;
        const auto& earlier = event.kind() == EventKind::fork ? own : other;
        for (std::size_t i = 0; i < later.size(); ++i) later[i] = std::max(later[i], earlier[i]);
        ++own[event.thread().value];
    }
    [[nodiscard]] std::uint32_t now(ThreadId thread) const { return clocks_[thread.value][thread.value]; }
    /// Whether what `before` did at its time `then` comes before what `thread` does now, in every schedule.
    [[nodiscard]] bool ordered(ThreadId before, std::uint32_t then, ThreadId thread) const {
        return clocks_[thread.value][before.value] >= then;
    }

  private:
    std::vector<std::vector<std::uint32_t>> clocks_;
};

} // namespace

std::vector<bool> shared_variables(const Trace& trace) {
    std::map<std::uint32_t, ThreadId> first;
    std::vector<bool> shared(trace.objects(ObjectKind::variable).size());
    for (const EventView event : trace.events()) {
        if (!is_access(event.kind())) continue;
        const auto [known, added] = first.try_emplace(event.target(), event.thread());
        if (!added && known->second != event.thread()) shared[event.target()] = true;
    }
    return shared;
}

std::vector<bool> contended_variables(const Trace& trace) {
    ForkJoinOrder order(trace);
    std::map<std::uint32_t, std::map<ThreadId, std::uint32_t>> last; // by variable: when each thread used it
    std::vector<bool> contended(trace.objects(ObjectKind::variable).size());
    for (const EventView event : trace.events()) {
        order.follow(event);
        if (!is_access(event.kind())) continue;
        auto& users = last[event.target()];
        for (const auto& [thread, then] : users) {
            if (thread != event.thread() && !order.ordered(thread, then, event.thread()))
                contended[event.target()] = true;
        }
        users[event.thread()] = order.now(event.thread());
    }
    return contended;
}

std::set<std::string> access_classes(const Trace& trace, const std::string& program) {
    ProgramNames names(trace, program);
    const std::vector<bool> contended = contended_variables(trace);
    std::map<std::uint32_t, ThreadState> threads;
    std::set<std::string> classes;
    for (const EventView event : trace.events()) {
        const std::string thread = names.thread(event.thread());
        ThreadState& state = threads[event.thread().value];
        if (!is_access(event.kind())) {
            follow(state, event, names);
            continue;
        }
        if (!contended[event.target()]) continue;
        const PlaceId place = trace.place_of(event.stack());
        classes.insert(fmt::format("{} {}{} {} at {:#x} holding {{{}}} after {} synchronisations", thread,
                                   traits(event.kind()).text, event.bytes().size, names.variable(event),
                                   place.valid() ? trace.places()[place.value].offset : 0,
                                   fmt::join(state.held, ", "), state.synchronisations));
    }
    return classes;
}

} // namespace heddle::test
