#include "analysis/shared_accesses.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace heddle {

namespace {

constexpr std::uint32_t kNobody = 0xFFFF'FFFF;

/// When a thread could run, as far as the thread that forked or joined it knows.
struct Lifetime {
    ThreadId forked_by;
    EventId fork;
    ThreadId joined_by;
    EventId join;
};

std::vector<Lifetime> lifetimes(const Trace& trace) {
    std::vector<Lifetime> result(trace.thread_count());
    for (const EventView event : trace.events()) {
        if (event.kind() == EventKind::fork) {
            Lifetime& child = result[event.target()];
            child.forked_by = event.thread();
            child.fork = event.id();
        } else if (event.kind() == EventKind::join) {
            Lifetime& child = result[event.target()];
            child.joined_by = event.thread();
            child.join = event.id();
        }
    }
    return result;
}

/// By variable: the threads that use it, if there are several.
std::unordered_map<std::uint32_t, std::vector<ThreadId>> users(const Trace& trace) {
    std::vector<std::uint32_t> first(trace.objects(ObjectKind::variable).size(), kNobody);
    std::unordered_map<std::uint32_t, std::vector<ThreadId>> result;
    for (const EventView event : trace.events()) {
        if (!is_access(event.kind())) continue;
        const std::uint32_t variable = event.variable().value;
        if (first[variable] == kNobody) first[variable] = event.thread().value;
        if (first[variable] == event.thread().value) continue;
        std::vector<ThreadId>& threads = result[variable];
        if (threads.empty()) threads.emplace_back(first[variable]);
        if (std::ranges::find(threads, event.thread()) == threads.end()) threads.push_back(event.thread());
    }
    return result;
}

/// The locks that each thread holds at the moment; recursive ones as often as they were taken.
class HeldLocks {
  public:
    explicit HeldLocks(std::size_t threads) : held_(threads), sets_(threads, 0) { intern({}); }

    void step(const EventView& event) {
        const std::uint32_t thread = event.thread().value;
        std::vector<LockUse>& locks = held_[thread];
        if (event.kind() == EventKind::acquire || event.kind() == EventKind::acquire_shared) {
            const LockUse use{event.lock(),
                              event.kind() == EventKind::acquire ? LockMode::exclusive : LockMode::shared};
            locks.insert(std::ranges::upper_bound(locks, use), use);
        } else if (event.kind() == EventKind::release || event.kind() == EventKind::release_shared) {
            const auto found = std::ranges::find(locks, event.lock(), &LockUse::lock);
            if (found == locks.end()) return;
            locks.erase(found);
        } else {
            return;
        }
        std::vector<LockUse> distinct = locks;
        distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
        sets_[thread] = intern(std::move(distinct));
    }

    /// The number of the set that a thread holds.
    [[nodiscard]] std::uint32_t set_of(ThreadId thread) const { return sets_[thread.value]; }
    [[nodiscard]] const std::vector<LockUse>& locks(std::uint32_t set) const { return *known_[set]; }

  private:
    std::uint32_t intern(std::vector<LockUse> locks) {
        const auto [entry, added] =
            numbers_.try_emplace(std::move(locks), static_cast<std::uint32_t>(known_.size()));
        if (added) known_.push_back(&entry->first);
        return entry->second;
    }

    std::vector<std::vector<LockUse>> held_; ///< by thread, ascending
    std::vector<std::uint32_t> sets_;        ///< by thread
    std::map<std::vector<LockUse>, std::uint32_t> numbers_;
    std::vector<const std::vector<LockUse>*> known_; ///< by number
};

class Counting {
  public:
    explicit Counting(const Trace& trace)
        : trace_(trace), lives_(lifetimes(trace)), users_(users(trace)), held_(trace.thread_count()) {}

    std::vector<SharedVariable> count() {
        for (const EventView event : trace_.events()) {
            if (!is_access(event.kind())) {
                held_.step(event);
            } else if (const auto threads = users_.find(event.variable().value); threads != users_.end()) {
                add(event, threads->second);
            }
        }
        return std::move(result_);
    }

  private:
    /// Bytes, place, kind and locks.
    using Alike = std::tuple<std::uint16_t, std::uint32_t, EventKind, std::uint32_t>;

    void add(const EventView& event, const std::vector<ThreadId>& threads) {
        const auto [number, is_new] = numbers_.try_emplace(event.variable().value, result_.size());
        if (is_new) {
            result_.push_back({event.variable(), {}});
            alike_.emplace_back();
        }
        const std::uint32_t set = held_.set_of(event.thread());
        const auto bytes = static_cast<std::uint16_t>(event.bytes().offset << 8U | event.bytes().size);
        const Alike alike(bytes, trace_.place_for_people(event.stack()).value, event.kind(), set);
        std::vector<SharedAccess>& accesses = result_[number->second].accesses;
        const auto [at, first] = alike_[number->second].try_emplace(alike, accesses.size());
        if (first) accesses.push_back({.example = event.id(), .locks = held_.locks(set)});
        SharedAccess& access = accesses[at->second];
        ++access.count;
        if (is_alone(event, threads)) ++access.alone;
    }

    [[nodiscard]] bool is_alone(const EventView& event, const std::vector<ThreadId>& threads) const {
        return std::ranges::all_of(threads, [&](ThreadId other) {
            if (other == event.thread()) return true;
            const Lifetime& life = lives_[other.value];
            const bool before =
                life.fork.valid() && life.forked_by == event.thread() && event.id() < life.fork;
            const bool after =
                life.join.valid() && life.joined_by == event.thread() && life.join < event.id();
            return before || after;
        });
    }

    const Trace& trace_;
    std::vector<Lifetime> lives_;
    std::unordered_map<std::uint32_t, std::vector<ThreadId>> users_;
    HeldLocks held_;
    std::unordered_map<std::uint32_t, std::size_t> numbers_; ///< by variable: in the result
    std::vector<std::map<Alike, std::size_t>> alike_;        ///< by number: in its accesses
    std::vector<SharedVariable> result_;
};

} // namespace

std::vector<SharedVariable> shared_accesses(const Trace& trace) {
    std::vector<SharedVariable> result = Counting(trace).count();
    std::ranges::sort(result, {}, &SharedVariable::variable);
    return result;
}

} // namespace heddle
