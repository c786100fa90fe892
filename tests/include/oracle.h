// The truth about small traces, by brute force from the definitions in docs/algorithms.md alone. It shares no
// code with the analyses that tests compare it with.
//
// What may happen next depends only on how far each thread is, so the oracle visits every reachable vector of
// thread positions once and answers from that set. Exponential in the number of threads. Traces must keep the
// rules (traces/rules.h). Not safe to share between threads.
//
// Two readings of the definitions, where they leave a choice:
//   - "a is the next event of its thread": the thread has begun, that is, its fork (if the run has one) was
//   taken.
//     Nothing else about a has to be allowed: an acquire that would still have to wait races all the same.
//   - an atomic read-modify-write counts as a write in the pattern of an atomicity violation; accesses
//   conflict when
//     they overlap and one of them writes, atomic or not (only races ask for one that is not atomic).
#pragma once

#include "analysis/property.h"
#include "traces/trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::testing_support {

/// Events meant to be atomic: positions [first, last] within the thread's own sequence.
struct Transaction {
    ThreadId thread;
    std::size_t first = 0;
    std::size_t last = 0;

    bool operator==(const Transaction&) const = default;
};

/// Every critical section (of either mode) without a wait for a condition inside, and every marked block,
/// nested ones too. What is not closed goes on to the thread's last event. In order of thread, then first,
/// then last.
[[nodiscard]] std::vector<Transaction> transactions_of(const Trace& trace);

/// The same cycle, turned so that the step with the earliest `holds` comes first.
[[nodiscard]] Deadlock canonical(Deadlock deadlock);

/// Its kind and its events, for the message of a test that failed.
[[nodiscard]] std::string in_words(const Property& property);

class Oracle {
  public:
    static constexpr std::size_t kMaxStates = 5'000'000;

    explicit Oracle(const Trace& trace, std::size_t max_states = kMaxStates);

    /// Whether the trace has more states than allowed; then nothing about feasibility is known.
    [[nodiscard]] bool too_large() const { return too_large_; }
    [[nodiscard]] std::size_t states() const { return reachable_.size(); }

    /// Nothing when the trace is too large. The property must be one of the trace by definition.
    [[nodiscard]] std::optional<bool> feasible(const Property& property) const;

    /// Whether these events, in this order from the start, are a feasible schedule. For any trace, however
    /// large.
    [[nodiscard]] bool is_schedule(std::span<const EventId> events) const;

    // --- single steps, for what else is to be told of schedules ---
    using Positions = std::vector<std::size_t>; ///< by thread: how many of its events were taken
    [[nodiscard]] bool taken(EventId event, const Positions& positions) const;
    [[nodiscard]] bool is_next(EventId event, const Positions& positions) const;
    /// Of an event that is the next of its thread: whether it may be taken.
    [[nodiscard]] bool allowed(EventId id, const Positions& positions) const;

    // Every property of the trace, feasible or not, ordered by its events and each once.
    [[nodiscard]] std::vector<Property> all_races() const;
    [[nodiscard]] std::vector<Property>
    all_atomicity_violations(std::span<const Transaction> transactions) const;
    [[nodiscard]] std::vector<Property> all_atomicity_violations() const {
        return all_atomicity_violations(transactions_of(trace_));
    }
    /// Cycles of every length, as canonical() turns them.
    [[nodiscard]] std::vector<Property> all_deadlocks() const;

    /// Of these properties, the ones that are feasible. The trace must not be too large.
    [[nodiscard]] std::vector<Property> feasible_of(std::span<const Property> properties) const;

  private:
    using State = std::uint64_t; ///< positions as one number

    enum class Mode : std::uint8_t { none, shared, exclusive };
    /// By thread, by position: the mode in which the thread holds each lock before that event.
    using Holds = std::vector<std::vector<std::vector<Mode>>>;

    void find_prerequisites();
    void find_releases_to_acquire();
    void find_holds();
    void explore(std::size_t max_states);

    [[nodiscard]] State encode(const Positions& positions) const;
    [[nodiscard]] Positions decode(State state) const;
    [[nodiscard]] EventId event_at(std::size_t thread, std::size_t position) const;
    [[nodiscard]] bool semaphore_allows(const EventView& event, const Positions& positions) const;
    [[nodiscard]] std::vector<Positions> successors(const Positions& positions) const;
    [[nodiscard]] bool all_next(std::span<const EventId> events) const;
    [[nodiscard]] bool feasible_violation(const AtomicityViolation& violation) const;
    [[nodiscard]] bool excludes(const DeadlockStep& holder, const DeadlockStep& requester) const;

    Trace trace_;
    std::vector<std::size_t> position_;             ///< by event: its position within its thread
    std::vector<std::vector<EventId>> must_follow_; ///< by event: what must have been taken before it
    Holds holds_;
    std::vector<State> reachable_;
    bool too_large_ = false;
};

} // namespace heddle::testing_support
