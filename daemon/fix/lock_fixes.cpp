#include "daemon/fix/lock_fixes.h"

#include "analysis/source/functions.h"
#include "analysis/source/hold_lock.h"
#include "analysis/source/lock_expressions.h"
#include "analysis/source/own_guards.h"
#include "analysis/source/widen_section.h"
#include "analysis/what_if/guards.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace heddle::fix {

namespace {

constexpr std::size_t kMaxCalls = 4; ///< around which a lock may be held

/// A lock that a thread has at an event, and since when.
struct Holding {
    LockId lock;
    EventId since;
};

std::vector<Holding> held_at(const Trace& trace, EventId event) {
    std::vector<Holding> held;
    for (const std::uint32_t id : trace.events_of(trace[event].thread())) {
        if (id >= event.value) break;
        const EventView one = trace[EventId{id}];
        if (one.kind() == EventKind::acquire) held.push_back({one.lock(), one.id()});
        if (one.kind() == EventKind::release)
            std::erase_if(held, [&](const Holding& lock) { return lock.lock == one.lock(); });
    }
    return held;
}

const Holding* find_lock(const std::vector<Holding>& held, LockId lock) {
    const auto found = std::ranges::find(held, lock, &Holding::lock);
    return found == held.end() ? nullptr : &*found;
}

std::vector<FileEdits> edits_of(const Source& source, std::vector<source::Replacement> edits) {
    return {{source.path, source.version, std::move(edits)}};
}

class LockDrafts {
  public:
    LockDrafts(const RunPlaces& places, Sources& sources)
        : places_(places), trace_(places.trace()), sources_(sources) {}

    std::vector<Draft> take() { return std::move(drafts_); }

    /// The lock that is held at most of the other accesses of what is accessed there: each account has a
    /// balance, and a lock of its own.
    void hold_the_usual(EventId access) {
        std::vector<bool> here(trace_.places().size());
        const PlaceId place = trace_.place_for_people(trace_[access].stack());
        if (place.valid()) here[place.value] = true;
        std::set<VarId> variables;
        for (const EventView event : trace_.events()) {
            if (is_access(event.kind()) && is_here(event, here)) variables.insert(event.variable());
        }
        const std::map<VarId, Guard> locks = guards(trace_, {variables.begin(), variables.end()}, here);
        const auto guard = locks.find(trace_[access].variable());
        if (guard == locks.end()) return;
        const auto at = places_.accessed(access);
        const auto habit = habit_of(guard->second.acquired, guard->second.access);
        if (!at || !habit) return;
        auto edit = source::hold_lock(at->source->tree, at->range, *habit, sources_.headers_of(*at->source));
        if (!edit) return;
        const Executions runs = places_.executions_in(*at->source, edit->held);
        if (runs.recursive) return;
        add(*at->source, *edit, runs, [&](const std::vector<Execution>& executions) {
            return edit->one_for_all ? std::optional(holding(executions, guard->second.lock))
                                     : holding_own(executions, here, called(locks, edit->lock));
        });
    }

    /// A lock that another thread has: around the access, or around a call that leads to it.
    void hold(EventId access, const Holding& lock, EventId guarded) {
        const auto innermost = places_.accessed(access);
        std::vector<Located> ways = places_.calls(access);
        if (ways.size() > kMaxCalls) ways.resize(kMaxCalls);
        for (std::size_t i = 0; i < ways.size(); ++i) {
            auto habit = habit_of(lock.since, guarded);
            if (!habit) return;
            if (i > 0 || !innermost) habit->access.reset(); // what is called names its lock in its own way
            const Located& at = i == 0 && innermost ? *innermost : ways[i];
            auto edit = source::hold_lock(at.source->tree, at.range, *habit, sources_.headers_of(*at.source));
            if (!edit) continue;
            const Executions runs = places_.executions_in(*at.source, edit->held);
            if (runs.recursive || runs.all.empty()) continue;
            // Another object has another lock, of which nothing is known.
            if (!edit->one_for_all && !concern_only(runs, access)) continue;
            add(*at.source, std::move(*edit), runs,
                [&](const std::vector<Execution>& executions) -> std::optional<Change> {
                    return holding(executions, lock.lock);
                });
        }
    }

    /// One section for both accesses of a thread, of a lock that is had at the second and not all the time.
    void widen(EventId first, EventId second) {
        const auto at = places_.accessed(first);
        if (!at) return;
        const std::vector<Holding> before = held_at(trace_, first);
        for (const Holding& lock : held_at(trace_, second)) {
            const Holding* earlier = find_lock(before, lock.lock);
            if (earlier != nullptr && earlier->since == lock.since) continue; // it is one section already
            const auto taken = places_.locked(lock.since);
            if (!taken || taken->source != at->source) continue;
            source::TwoSections sections{
                .first_access = at->range, .first_lock = {}, .second_lock = taken->range};
            if (earlier != nullptr) {
                const auto other = places_.locked(earlier->since);
                if (!other || other->source != at->source) continue;
                sections.first_lock = other->range;
            }
            auto edit = source::widen_section(at->source->tree, sections);
            if (!edit) continue;
            const Executions runs = places_.executions_in(*at->source, edit->held);
            if (runs.recursive) continue;
            add(*at->source, fmt::format("Hold '{}' over both accesses", edit->lock), edit->edits, edit->held,
                runs, [&](const std::vector<Execution>& executions) {
                    return joined(*at->source, *edit, executions);
                });
        }
    }

  private:
    static Change holding(const std::vector<Execution>& executions, LockId lock) {
        Change change;
        for (const Execution& one : executions)
            change.held.push_back({one.thread, one.first, one.last, lock});
        return change;
    }

    /// Each the lock of what it accesses.
    [[nodiscard]] std::optional<Change> holding_own(const std::vector<Execution>& executions,
                                                    const std::vector<bool>& here,
                                                    const std::map<VarId, Guard>& locks) const {
        Change change;
        for (const Execution& one : executions) {
            if (has_unknown_lock(one, here, locks)) {
                change.leaves_out = change.leaves_out || !held_at(trace_, one.first).empty();
                continue;
            }
            const auto lock = lock_of(one, here, locks);
            if (!lock) return std::nullopt;
            change.held.push_back({one.thread, one.first, one.last, *lock});
        }
        return change;
    }

    /// Those that are the same member of their objects: what was made with another lock held has none of
    /// these.
    [[nodiscard]] std::map<VarId, Guard> called(std::map<VarId, Guard> locks, std::string_view name) const {
        const auto last = [](std::string_view path) { return path.substr(path.find_last_of(".>:") + 1); };
        std::erase_if(locks, [&](const auto& one) {
            const auto taken = taken_for(one.second.acquired, one.second.access);
            return !taken || last(taken->source->tree.text(taken->lock)) != last(name);
        });
        return locks;
    }

    [[nodiscard]] bool is_here(const EventView& event, const std::vector<bool>& here) const {
        const PlaceId place = trace_.place_for_people(event.stack());
        return place.valid() && here[place.value];
    }

    /// Whether nothing but the variable of an access is accessed at its place.
    [[nodiscard]] bool concern_only(const Executions& runs, EventId access) const {
        const PlaceId place = trace_.place_for_people(trace_[access].stack());
        return std::ranges::all_of(runs.all, [&](const Execution& one) {
            return std::ranges::all_of(events_of(one), [&](const EventView& event) {
                return !is_access(event.kind()) || trace_.place_for_people(event.stack()) != place ||
                       event.variable() == trace_[access].variable();
            });
        });
    }

    /// `change_of(executions)`: nothing if none can be made.
    template<typename ChangeOf>
    void add(const Source& source, std::string title, std::vector<source::Replacement> edits,
             source::ByteRange held, const Executions& runs, ChangeOf change_of) {
        const auto change_with = [&](const std::vector<Execution>& executions) {
            std::optional<Change> change = change_of(executions);
            if (change) change->repeated = places_.repeated(change->held, source, held);
            return change;
        };
        std::optional<Change> change = change_with(runs.all);
        if (!change || change->held.empty()) return;
        Draft draft{.title = std::move(title),
                    .files = edits_of(source, std::move(edits)),
                    .change = std::move(*change),
                    .otherwise = {},
                    .caveat = {}};
        if (runs.unbroken != runs.all) {
            draft.otherwise = change_with(runs.unbroken);
            if (!draft.otherwise) return;
        }
        drafts_.push_back(std::move(draft));
    }
    template<typename ChangeOf>
    void add(const Source& source, source::HeldLock edit, const Executions& runs, ChangeOf change_of) {
        add(source, fmt::format("Hold '{}' here", edit.lock), std::move(edit.edits), edit.held, runs,
            change_of);
    }

    /// Where the thread asked for a lock that it has, perhaps, had to take again after a wait.
    [[nodiscard]] EventId asked_for(EventId acquired) const {
        const ThreadIndex& events = trace_.events_of(trace_[acquired].thread());
        std::size_t at = trace_.index_in_thread(acquired);
        const auto ends_a_wait = [&] {
            return at + 1 < events.size() && trace_[EventId{events[at + 1]}].kind() == EventKind::wait_post;
        };
        for (std::size_t i = at; i-- > 0 && ends_a_wait();) {
            const EventView earlier = trace_[EventId{events[i]}];
            if (earlier.kind() == EventKind::acquire && earlier.lock() == trace_[acquired].lock()) at = i;
        }
        return EventId{events[at]};
    }

    [[nodiscard]] std::optional<source::LockHabit> habit_of(EventId acquired, EventId guarded) const {
        const auto taken = taken_for(acquired, guarded);
        if (!taken) return std::nullopt;
        source::LockHabit habit{.tree = taken->source->tree,
                                .lock = taken->lock,
                                .access = {},
                                .headers = sources_.headers_of(*taken->source),
                                .own_guard = taken->own_guard};
        // Of one object if one function takes the lock and makes the access; a caller may hold another's.
        const auto access = places_.accessed(guarded);
        const auto function = source::enclosing_function(taken->source->tree, taken->lock.first);
        if (access && access->source == taken->source && function && function->range.contains(access->range))
            habit.access = access->range;
        return habit;
    }

    /// How a lock was taken that is held at an access.
    struct Taken {
        const Source* source = nullptr;
        source::ByteRange lock;
        bool own_guard = false;
    };
    [[nodiscard]] std::optional<Taken> taken_for(EventId acquired, EventId guarded) const {
        const EventId asked = asked_for(acquired);
        if (auto guard = own_guard_for(asked, guarded)) return guard;
        const auto lock = places_.locked(asked);
        const auto range = lock ? source::lock_behind(lock->source->tree, lock->range) : std::nullopt;
        return range ? std::optional(Taken{lock->source, *range}) : std::nullopt;
    }

    /// By a guard of the program's own, in the function that makes the access: by what its declaration calls,
    /// and let go by a destructor.
    [[nodiscard]] std::optional<Taken> own_guard_for(EventId asked, EventId guarded) const {
        const auto access = places_.accessed(guarded);
        if (!access || !is_let_go_by_destructor(asked)) return std::nullopt;
        const source::SyntaxTree& tree = access->source->tree;
        const auto function = source::enclosing_function(tree, access->range.first);
        for (const Located& call : places_.calls(asked)) {
            if (call.source != access->source || !function || !function->range.contains(call.range)) continue;
            const auto guard = source::own_guard_at(tree, call.range.first);
            return guard ? std::optional(Taken{access->source, guard->lock, true}) : std::nullopt;
        }
        return std::nullopt;
    }

    [[nodiscard]] bool is_let_go_by_destructor(EventId acquired) const {
        const ThreadIndex& events = trace_.events_of(trace_[acquired].thread());
        for (std::size_t i = trace_.index_in_thread(acquired); i < events.size(); ++i) {
            const EventView event = trace_[EventId{events[i]}];
            if (event.kind() == EventKind::release && event.lock() == trace_[acquired].lock())
                return places_.is_in_destructor(event.id());
        }
        return false;
    }

    [[nodiscard]] std::vector<EventView> events_of(const Execution& execution) const {
        std::vector<EventView> result;
        const ThreadIndex& events = trace_.events_of(execution.thread);
        for (std::size_t i = trace_.index_in_thread(execution.first);
             i < events.size() && events[i] <= execution.last.value; ++i)
            result.push_back(trace_[EventId{events[i]}]);
        return result;
    }

    /// Whether an execution only accesses there what has a lock that the run does not tell, and takes none
    /// itself.
    [[nodiscard]] bool has_unknown_lock(const Execution& execution, const std::vector<bool>& here,
                                        const std::map<VarId, Guard>& locks) const {
        bool accesses = false;
        for (const EventView& event : events_of(execution)) {
            if (event.kind() == EventKind::acquire || event.kind() == EventKind::acquire_shared) return false;
            if (!is_access(event.kind()) || !is_here(event, here)) continue;
            if (locks.contains(event.variable())) return false;
            accesses = true;
        }
        return accesses;
    }

    /// The lock of what an execution accesses at the place; of one that accesses nothing there, the only one
    /// that there is. Nothing: it is not known, or there are several.
    [[nodiscard]] std::optional<LockId> lock_of(const Execution& execution, const std::vector<bool>& here,
                                                const std::map<VarId, Guard>& locks) const {
        std::set<LockId> wanted;
        for (const EventView& event : events_of(execution)) {
            if (!is_access(event.kind()) || !is_here(event, here)) continue;
            const auto guard = locks.find(event.variable());
            if (guard != locks.end()) wanted.insert(guard->second.lock);
        }
        if (wanted.empty()) {
            for (const auto& [variable, guard] : locks) wanted.insert(guard.lock);
        }
        if (wanted.size() != 1) return std::nullopt;
        return *wanted.begin();
    }

    /// The sections that become one. Nothing when an execution takes the lock elsewhere as well: it would
    /// wait for itself.
    [[nodiscard]] std::optional<Change> joined(const Source& source, const source::WidenedSection& edit,
                                               const std::vector<Execution>& executions) const {
        Change change{.held = {}, .joins_sections = true, .atomic = {}};
        std::set<LockId> locks;
        std::vector<Execution> without; // ways through the code on which the lock has not been wanted so far
        for (const Execution& execution : executions) {
            std::set<LockId> taken;
            std::set<LockId> elsewhere;
            for (const EventView& event : events_of(execution)) {
                if (event.kind() != EventKind::acquire) continue;
                const bool known = std::ranges::any_of(edit.taken, [&](const source::ByteRange& range) {
                    return places_.is_in(event.id(), source, range);
                });
                (known ? taken : elsewhere).insert(event.lock());
            }
            locks.insert(taken.begin(), taken.end());
            if (taken.empty()) {
                without.push_back(execution);
                continue;
            }
            if (taken.size() > 1 || elsewhere.contains(*taken.begin())) return std::nullopt;
            change.held.push_back({execution.thread, execution.first, execution.last, *taken.begin()});
        }
        if (locks.empty() || (locks.size() > 1 && !without.empty())) return std::nullopt;
        for (const Execution& one : without)
            change.held.push_back({one.thread, one.first, one.last, *locks.begin()});
        return change;
    }

    const RunPlaces& places_;
    const Trace& trace_;
    Sources& sources_;
    std::vector<Draft> drafts_;
};

/// Locks that are held at both, from before the first to behind the second.
std::vector<Holding> held_throughout(const Trace& trace, EventId first, EventId second) {
    std::vector<Holding> held = held_at(trace, first);
    const std::vector<Holding> later = held_at(trace, second);
    std::erase_if(held, [&](const Holding& lock) {
        const Holding* still = find_lock(later, lock.lock);
        return still == nullptr || still->since != lock.since;
    });
    return held;
}

} // namespace

std::vector<Draft> lock_fixes(const RunPlaces& places, Sources& sources, const Property& finding,
                              std::size_t access) {
    const Trace& trace = places.trace();
    LockDrafts drafts(places, sources);
    const std::vector<EventId> events = events_of(finding);
    const EventId here = events[access];
    const auto hold_those = [&](const std::vector<Holding>& locks, EventId guarded) {
        const std::vector<Holding> own = held_at(trace, here);
        for (const Holding& lock : locks) {
            if (find_lock(own, lock.lock) == nullptr) drafts.hold(here, lock, guarded);
        }
    };
    if (std::holds_alternative<Race>(finding)) {
        const EventId other = events[1 - access];
        drafts.hold_the_usual(here);
        hold_those(held_at(trace, other), other);
        // The same thread may go on to take the lock in the same block.
        for (const std::uint32_t id : trace.events_of(trace[here].thread())) {
            const EventView event = trace[EventId{id}];
            const bool next =
                id > here.value && is_access(event.kind()) && event.variable() == trace[here].variable();
            if (!next) continue;
            drafts.widen(here, event.id());
            break;
        }
        return drafts.take();
    }
    const auto& violation = std::get<AtomicityViolation>(finding);
    if (here == violation.remote) {
        hold_those(held_throughout(trace, violation.first, violation.second), violation.first);
    } else {
        drafts.widen(violation.first, violation.second);
    }
    return drafts.take();
}

} // namespace heddle::fix
