#include "analysis/witness/essential_steps.h"

#include "analysis/lock_profiles.h"
#include "analysis/witness/step_links.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace heddle {

namespace {

/// So few steps of the property's own threads are shown rather than counted.
constexpr std::size_t kHandful = 6;

class Choice {
  public:
    Choice(const Trace& trace, const Property& property, const ToldSteps& steps, std::size_t enough)
        : trace_(trace), property_(property), steps_(steps), enough_(enough),
          shown_(steps.events.size(), false) {}

    std::vector<bool> make() {
        note_forks();
        show_property();
        show_locks_held_at_the_end();
        show_block_around();
        show_links();
        show_single_steps();
        show_own_threads();
        return std::move(shown_);
    }

  private:
    [[nodiscard]] ThreadId thread_at(std::size_t at) const { return trace_[steps_.events[at]].thread(); }

    void note_forks() {
        for (std::uint32_t at = 0; at < steps_.taken; ++at) {
            const EventView event = trace_[steps_.events[at]];
            if (event.kind() == EventKind::fork) forks_.try_emplace(event.other_thread(), at);
        }
    }

    void show(std::size_t at) {
        if (shown_[at]) return;
        shown_[at] = true;
        ++count_;
        if (!threads_.insert(thread_at(at)).second) return;
        const auto fork = forks_.find(thread_at(at));
        if (fork != forks_.end()) show(fork->second);
    }

    /// How many steps would be shown more; the forks of the threads that these bring in are not counted.
    [[nodiscard]] std::size_t cost(const StepLink& link) const {
        return (shown_[link.from] ? 0U : 1U) + (shown_[link.to] ? 0U : 1U);
    }

    void show_property() {
        std::vector<EventId> own = events_of(property_);
        if (const auto* deadlock = std::get_if<Deadlock>(&property_)) {
            for (const DeadlockStep& step : deadlock->steps) own.push_back(step.holds);
        }
        for (const EventId event : own) {
            const auto found = std::ranges::find(steps_.events, event);
            if (found != steps_.events.end()) {
                show(static_cast<std::size_t>(found - steps_.events.begin()));
            }
        }
    }

    void show_locks_held_at_the_end() {
        std::map<ThreadId, std::map<LockId, std::size_t>> acquired;
        for (std::size_t at = 0; at < steps_.taken; ++at) {
            const EventView event = trace_[steps_.events[at]];
            if (!is_lock_event(event.kind()) || !threads_.contains(event.thread())) continue;
            if (event.kind() == EventKind::acquire || event.kind() == EventKind::acquire_shared) {
                acquired[event.thread()][event.lock()] = at;
            } else {
                acquired[event.thread()].erase(event.lock());
            }
        }
        for (const EventId event : events_of(property_)) {
            for (const auto& [lock, at] : acquired[trace_[event].thread()]) show(at);
        }
    }

    /// An atomicity violation may break a block that the program marks.
    void show_block_around() {
        const auto* violation = std::get_if<AtomicityViolation>(&property_);
        if (violation == nullptr) return;
        const ThreadId thread = trace_[violation->first].thread();
        std::vector<std::size_t> open;
        std::optional<std::size_t> around;
        for (std::size_t at = 0; at < steps_.taken; ++at) {
            const EventView event = trace_[steps_.events[at]];
            if (event.thread() != thread) continue;
            if (event.kind() == EventKind::txn_begin) open.push_back(at);
            if (event.kind() == EventKind::txn_end && !open.empty()) open.pop_back();
            if (event.id() == violation->first && !open.empty()) around = open.back();
        }
        if (around && std::ranges::find(open, *around) != open.end()) show(*around);
    }

    /// Whether the fork of the thread that waits comes after what it waits for in any case.
    [[nodiscard]] bool fork_tells(const StepLink& link) const {
        const ThreadId from = thread_at(link.from);
        auto fork = forks_.find(thread_at(link.to));
        while (fork != forks_.end() && thread_at(fork->second) != from)
            fork = forks_.find(thread_at(fork->second));
        return fork != forks_.end() && link.from < fork->second;
    }

    void show_links() {
        std::vector<StepLink> links = links_of(trace_, std::span(steps_.events).first(steps_.taken));
        std::ranges::stable_sort(links, [](const StepLink& a, const StepLink& b) {
            return a.kind != b.kind ? a.kind < b.kind : a.to > b.to;
        });
        const auto next = [&] {
            return std::ranges::find_if(links, [&](const StepLink& link) {
                return threads_.contains(thread_at(link.to)) && cost(link) > 0 &&
                       count_ + cost(link) <= enough_ && !fork_tells(link);
            });
        };
        for (auto link = next(); link != links.end(); link = next()) {
            show(link->from);
            show(link->to);
        }
    }

    /// A line for one step says more than a line that says that one was left out.
    void show_single_steps() {
        for (std::size_t at = steps_.taken; at-- > 0 && count_ < enough_;) {
            const bool before = at == 0 || shown_[at - 1];
            const bool after = at + 1 == shown_.size() || shown_[at + 1];
            if (before && after && threads_.contains(thread_at(at))) show(at);
        }
    }

    void show_own_threads() {
        std::set<ThreadId> own;
        for (const EventId event : events_of(property_)) own.insert(trace_[event].thread());
        std::vector<std::size_t> hidden;
        for (std::size_t at = 0; at < shown_.size(); ++at) {
            if (!shown_[at] && own.contains(thread_at(at))) hidden.push_back(at);
        }
        if (hidden.size() > kHandful || count_ + hidden.size() > enough_) return;
        for (const std::size_t at : hidden) show(at);
    }

    const Trace& trace_;
    const Property& property_;
    const ToldSteps& steps_;
    std::size_t enough_;

    std::vector<bool> shown_;
    std::size_t count_ = 0;
    std::set<ThreadId> threads_;              ///< of what is shown
    std::map<ThreadId, std::uint32_t> forks_; ///< within the steps
};

} // namespace

std::vector<bool> essential_steps(const Trace& trace, const Property& property, const ToldSteps& steps,
                                  std::size_t enough) {
    return Choice(trace, property, steps, enough).make();
}

} // namespace heddle
