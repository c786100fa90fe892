#include "analysis/witness/window_program.h"

#include "analysis/ucg_window.h"
#include "analysis/witness/aim.h"
#include "analysis/witness/window_memory.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace heddle {

namespace {

using Action = WindowProgram::Action;
using Progress = WindowProgram::Progress;

Action action_of(EventKind kind) {
    switch (kind) {
    case EventKind::acquire: return Action::acquire;
    case EventKind::acquire_shared: return Action::acquire_shared;
    case EventKind::release: return Action::release;
    case EventKind::release_shared: return Action::release_shared;
    case EventKind::sem_post: return Action::post;
    case EventKind::sem_wait: return Action::wait;
    default: return Action::plain;
    }
}

bool is_acquire(EventKind kind) {
    return kind == EventKind::acquire || kind == EventKind::acquire_shared;
}

bool is_lock_action(Action action) {
    return action != Action::plain && action != Action::post && action != Action::wait;
}

class ProgramMaker {
  public:
    ProgramMaker(const Trace& trace, const CausalityGraph& causality, const RunIndex& index,
                 const Property& property, const Window& window)
        : trace_(trace), context_(*causality.context()), window_(window), aim_(aim_of(property)),
          memory_(trace, index, window.base), strand_of_(window.ends.size(), WindowProgram::kNone) {}

    std::optional<WindowProgram> make(std::size_t max_events) {
        program_.base = window_.base;
        find_strands();
        find_forks();
        for (const WindowProgram::Strand& strand : program_.strands) survey(strand);
        memory_.settle(program_);
        if (!find_locks(max_events)) return std::nullopt;
        for (StrandNumber strand = 0; strand < program_.strands.size(); ++strand) add_steps(strand);
        memory_.connect(program_);
        resolve_needs();
        set_goal();
        find_semaphores();
        return std::move(program_);
    }

  private:
    /// A need as it is met: the step, and the event that has to be taken before it.
    struct Edge {
        EventId event;
        EventId source;
    };

    [[nodiscard]] EventId event_at(const WindowProgram::Strand& strand, std::uint32_t index) const {
        return EventId{trace_.events_of(strand.thread)[index]};
    }
    [[nodiscard]] std::uint32_t end_of(const WindowProgram::Strand& strand) const {
        return window_.ends[strand.thread.value];
    }
    /// An event of which has to be known when it is taken.
    [[nodiscard]] bool marked(EventId event) const {
        if (std::ranges::find(forks_, event) != forks_.end()) return true;
        return aim_.violation && (event == aim_.violation->first || event == aim_.violation->remote ||
                                  event == aim_.violation->second);
    }

    void find_strands() {
        for (std::uint32_t thread = 0; thread < window_.ends.size(); ++thread) {
            const ThreadIndex& events = trace_.events_of(ThreadId{thread});
            const std::uint32_t end = window_.ends[thread];
            if (end == 0 || events[end - 1] < window_.base.value) continue;
            const std::uint32_t begin = count_before(events, window_.base.value);
            strand_of_[thread] = static_cast<StrandNumber>(program_.strands.size());
            program_.strands.push_back({.thread = ThreadId{thread}, .begin = begin, .steps = {}});
            memory_.add_strand(ThreadId{thread}, EventId{events[end - 1]});
        }
        const auto fix = [&](EventId event) {
            const StrandNumber strand = strand_of_[trace_[event].thread().value];
            if (strand != WindowProgram::kNone) program_.strands[strand].fixed = true;
        };
        std::ranges::for_each(aim_.stops, fix);
        if (aim_.violation) fix(aim_.violation->second);
    }

    /// Which events have to wait for which, and who touches what.
    void survey(const WindowProgram::Strand& strand) {
        for (std::uint32_t index = strand.begin; index < end_of(strand); ++index) {
            const EventView event = trace_[event_at(strand, index)];
            if (is_access(event.kind())) memory_.survey(event, strand_of_[strand.thread.value]);
            if (index == 0 || may_wait(event.kind())) add_edges(event.id(), event.id().value);
            if (is_lock_action(action_of(event.kind()))) {
                const auto [lock, is_new] = locks_.try_emplace(event.target(), locks_.size());
                if (is_new) lock_users_.push_back(strand.thread.value);
                if (lock_users_[lock->second] != strand.thread.value) lock_users_[lock->second] = kSeveral;
            }
        }
    }

    static bool may_wait(EventKind kind) {
        const Action action = action_of(kind);
        return kind != EventKind::read && kind != EventKind::write && !is_lock_action(action);
    }

    void add_edges(EventId event, SeedNode node) {
        bool recent = false; // joints of a chain wait for ever later events
        for (const SeedEdge& edge : context_.seeds.into(node)) {
            if (SeedEdges::is_joint(edge.from) || edge.from < window_.base.value) continue;
            recent = true;
            if (trace_[EventId{edge.from}].thread() == trace_[event].thread()) continue;
            edges_.push_back({event, EventId{edge.from}});
            sources_.insert(edge.from);
        }
        if (SeedEdges::is_joint(node) && !recent) return;
        for (const SeedEdge& edge : context_.seeds.into(node))
            if (SeedEdges::is_joint(edge.from)) add_edges(event, edge.from);
    }

    void add_steps(StrandNumber number) {
        WindowProgram::Strand& strand = program_.strands[number];
        auto edge = std::ranges::find_if(
            edges_, [&](const Edge& one) { return trace_[one.event].thread() == strand.thread; });
        for (std::uint32_t index = strand.begin; index < end_of(strand); ++index) {
            const EventView event = trace_[event_at(strand, index)];
            const bool waits = edge != edges_.end() && edge->event == event.id();
            while (edge != edges_.end() && edge->event == event.id()) ++edge;
            WindowProgram::Step step{.event = event.id(), .end = index + 1};
            const bool acts = act(event, step);
            const bool accesses = is_access(event.kind()) && memory_.matters(event.variable());
            if (!acts && !accesses && !waits && !marked(event.id()) && !sources_.contains(event.id().value))
                continue;
            if (accesses)
                memory_.add(program_, event, {number, static_cast<std::uint32_t>(strand.steps.size() + 1)},
                            step);
            strand.steps.push_back(step);
        }
        if (!strand.fixed) return;
        // What follows the last step comes with it.
        if (strand.steps.empty()) strand.steps.push_back({.event = event_at(strand, strand.begin)});
        strand.steps.back().end = end_of(strand);
    }

    /// Whether it is a lock or semaphore operation that others notice.
    bool act(const EventView& event, WindowProgram::Step& step) {
        const Action action = action_of(event.kind());
        if (action == Action::plain) return false;
        if (is_lock_action(action)) {
            step.object = locks_.at(event.target());
            if (!contended(step.object, event.thread())) return false;
        } else {
            if (context_.seeds.semaphores().number_of(event.semaphore()) == SemaphoreBalances::kNone)
                return false;
            step.object = semaphores_.try_emplace(event.target(), semaphores_.size()).first->second;
        }
        step.action = action;
        return true;
    }

    [[nodiscard]] bool contended(std::uint32_t number, ThreadId user) const {
        const WindowProgram::Lock& lock = program_.locks[number];
        return lock_users_[number] == kSeveral || lock.sharers > 0 ||
               (lock.owned && lock.owner != strand_of_[user.value]);
    }

    void resolve_needs() {
        std::unordered_map<std::uint32_t, Progress> taken_with;
        for (StrandNumber number = 0; number < program_.strands.size(); ++number) {
            const auto& steps = program_.strands[number].steps;
            for (std::uint32_t k = 0; k < steps.size(); ++k)
                if (sources_.contains(steps[k].event.value) || marked(steps[k].event))
                    taken_with[steps[k].event.value] = {number, k + 1};
        }
        std::size_t next = 0;
        for (WindowProgram::Strand& strand : program_.strands) {
            for (WindowProgram::Step& step : strand.steps) {
                step.first_need = static_cast<std::uint32_t>(program_.needs.size());
                for (; next < edges_.size() && edges_[next].event == step.event; ++next) {
                    const auto source = taken_with.find(edges_[next].source.value);
                    if (source == taken_with.end())
                        step.impossible = true;
                    else
                        program_.needs.push_back(source->second);
                }
                step.last_need = static_cast<std::uint32_t>(program_.needs.size());
            }
        }
        taken_with_ = std::move(taken_with);
    }

    /// A thread that stops before its first event must have been started.
    void find_forks() {
        for (const EventId stop : aim_.stops) {
            if (trace_.events_of(trace_[stop].thread())[0] != stop.value) continue;
            for (const SeedEdge& edge : context_.seeds.into(stop.value))
                if (edge.kind == SeedKind::fork && edge.from >= window_.base.value)
                    forks_.emplace_back(edge.from);
        }
    }

    void set_goal() {
        for (const EventId fork : forks_) {
            const auto taken = taken_with_.find(fork.value);
            program_.goal.push_back(taken == taken_with_.end() ? Progress{0, WindowProgram::kNone}
                                                               : taken->second);
        }
        if (!aim_.violation) return;
        program_.violation = true;
        const auto mark = [&](EventId event) {
            return event < window_.base ? Progress{} : taken_with_.at(event.value);
        };
        program_.first = mark(aim_.violation->first);
        program_.remote = mark(aim_.violation->remote);
    }

    void find_semaphores() {
        program_.semaphores.resize(semaphores_.size());
        for (const auto& [id, number] : semaphores_) {
            const auto& semaphores = context_.seeds.semaphores();
            const CountedSemaphore& semaphore = semaphores.all()[semaphores.number_of(SemaphoreId{id})];
            // The initialisation may lie in the window: all operations have to wait for it, as a need.
            std::int64_t count = semaphore.count;
            for (const SemaphoreColumn& column : semaphore.columns)
                count += column.balance[column.operations_before(window_.base.value)];
            program_.semaphores[number] = static_cast<std::int32_t>(count);
        }
    }

    /// Who holds the window's locks at its base. False: that would take too long to find out.
    bool find_locks(std::size_t max_events) {
        program_.locks.resize(locks_.size());
        std::size_t looked_at = 0;
        for (std::uint32_t thread = 0; thread < window_.ends.size(); ++thread) {
            const auto stretch = memory_.index().stretch_at(ThreadId{thread}, window_.base);
            if (!stretch || (stretch->release.valid() && stretch->release < window_.base)) continue;
            const auto& events = context_.skeleton[thread];
            std::vector<EventView> held;
            auto at = std::ranges::lower_bound(events, stretch->acquire.value);
            for (; at != events.end() && *at < window_.base.value; ++at) {
                if (++looked_at > max_events) return false;
                const EventView event = trace_[EventId{*at}];
                if (!is_lock_action(action_of(event.kind()))) continue;
                std::erase_if(held, [&](const EventView& one) { return one.target() == event.target(); });
                if (is_acquire(event.kind())) held.push_back(event);
            }
            std::ranges::for_each(held, [&](const EventView& acquire) { hold(acquire); });
        }
        return true;
    }

    void hold(const EventView& acquire) {
        const auto found = locks_.find(acquire.target());
        if (found == locks_.end()) return;
        WindowProgram::Lock& lock = program_.locks[found->second];
        if (acquire.kind() == EventKind::acquire_shared) {
            ++lock.sharers;
            return;
        }
        const StrandNumber strand = strand_of_[acquire.thread().value];
        lock = {.owned = true,
                .owner = strand == WindowProgram::kNone ? WindowProgram::Lock::kOutside : strand};
    }

    static constexpr std::uint32_t kSeveral = 0xFFFF'FFFE;

    const Trace& trace_;
    const UcgContext& context_;
    const Window& window_;
    Aim aim_;
    WindowMemory memory_;
    WindowProgram program_;
    std::vector<StrandNumber> strand_of_; ///< by thread
    std::vector<EventId> forks_;
    std::vector<Edge> edges_; ///< by strand, then event
    std::unordered_set<std::uint32_t> sources_;
    std::unordered_map<std::uint32_t, std::uint32_t> locks_; ///< by id: the window's number
    std::vector<std::uint32_t> lock_users_;                  ///< by number: a thread, or kSeveral
    std::unordered_map<std::uint32_t, std::uint32_t> semaphores_;
    std::unordered_map<std::uint32_t, Progress> taken_with_;
};

} // namespace

std::size_t WindowProgram::size() const {
    std::size_t sum = 0;
    for (const Strand& strand : strands) sum += strand.steps.size();
    return sum;
}

Schedule WindowProgram::schedule(const Trace& trace, std::span<const StrandNumber> run) const {
    Schedule result{.base = base, .steps = {}};
    std::vector<std::uint32_t> steps(strands.size());
    std::vector<std::uint32_t> taken;
    for (const Strand& strand : strands) taken.push_back(strand.begin);
    for (const StrandNumber number : run) {
        const Strand& strand = strands[number];
        const ThreadIndex& events = trace.events_of(strand.thread);
        for (const std::uint32_t end = strand.steps[steps[number]++].end; taken[number] < end;
             ++taken[number])
            result.steps.emplace_back(events[taken[number]]);
    }
    return result;
}

std::vector<StrandNumber> WindowProgram::strands_of(const Trace& trace, const Schedule& schedule) const {
    std::vector<std::uint32_t> taken(strands.size());
    std::vector<StrandNumber> result;
    for (const EventId event : schedule.steps) {
        const auto strand = std::ranges::find(strands, trace[event].thread(), &Strand::thread);
        if (strand == strands.end()) continue;
        const auto number = static_cast<StrandNumber>(strand - strands.begin());
        if (taken[number] == strand->steps.size() || strand->steps[taken[number]].event != event) continue;
        ++taken[number];
        result.push_back(number);
    }
    return result;
}

std::optional<WindowProgram> make_program(const Trace& trace, const CausalityGraph& causality,
                                          const RunIndex& index, const Property& property,
                                          const Window& window, std::size_t max_events) {
    return ProgramMaker(trace, causality, index, property, window).make(max_events);
}

} // namespace heddle
