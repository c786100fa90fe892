// Which events of a trace no real execution could have produced, and what is left without them.
//
// check_rules is one pass in trace order, O(events), a few nanoseconds each. Its state is per object
// (16 bytes per variable); nothing is kept per event unless the event is at fault. An event that is left
// out changes no state, so that what remains obeys every rule: check_rules(without_broken(t, r)) is clean.
//
// Choices where two events contradict each other and either could be at fault:
//   locks       the thread that came first holds the lock; the second acquire goes, and its release with it
//   barriers    a round is over once a thread left it, and rounds count up; who enters late goes
//   semaphores  counted only after a sem_init that carries a count; sem_init comes before any use, once
//   tickets     may be used again: the latest notify of the condition with that ticket is meant
//   blocks      an identity is allocated once and freed once; a free without any alloc is fine
//   memory      what bytes hold is unknown until first read or written, and after a write of no value
// Recursive acquisitions are not at fault: only the outermost pair counts, inner ones are left out.
//
// Targets must be valid ids of the trace's tables, as readers and TraceBuilder guarantee.
#pragma once

#include "traces/limits.h"
#include "traces/trace.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

enum class Rule : std::uint8_t {
    release_not_held,
    acquire_held,
    fork_once_before_events,
    join_once_after_events,
    thread_life,
    value_explained,
    value_fits,
    wait_pairs,
    wait_ticket,
    barrier_rounds,
    semaphore_count,
    once_order,
    alloc_free,
    transaction_pairs,
};
inline constexpr std::size_t kRules = 14;
inline constexpr std::array<std::string_view, kRules> kRuleNames = {"release-not-held",
                                                                    "acquire-held",
                                                                    "fork-once-before-events",
                                                                    "join-once-after-events",
                                                                    "thread-life",
                                                                    "value-explained",
                                                                    "value-fits",
                                                                    "wait-pairs",
                                                                    "wait-ticket",
                                                                    "barrier-rounds",
                                                                    "semaphore-count",
                                                                    "once-order",
                                                                    "alloc-free",
                                                                    "transaction-pairs"};

struct RuleBreak {
    Rule rule = Rule::release_not_held;
    EventId event;
    std::string what; ///< "T2 releases 'mu', which T1 holds (acquired at bank.cpp:41:9)"

    bool operator==(const RuleBreak&) const = default;
};

struct RuleReport {
    std::vector<RuleBreak> kept; ///< the first Limits::max_damage_reported
    std::uint64_t total = 0;
    std::array<std::uint64_t, kRules> count{};

    std::vector<EventId> left_out;  ///< events to leave out, ascending
    std::vector<EventId> forgotten; ///< events that stay and lose their values, ascending
    std::uint64_t consequences = 0; ///< left out only because what they end was left out
    std::uint64_t recursive_acquisitions = 0;

    [[nodiscard]] std::uint64_t count_of(Rule rule) const { return count[static_cast<std::size_t>(rule)]; }
    /// Nothing has to change. (A trace with nothing at fault may still have recursive acquisitions.)
    [[nodiscard]] bool clean() const { return left_out.empty() && forgotten.empty(); }
};

[[nodiscard]] RuleReport check_rules(const Trace& trace, const Limits& limits = {});

/// The trace without what the report says; ids of objects, places, stacks and strings stay as they are.
/// Nothing is copied when the report is clean.
[[nodiscard]] Trace without_broken(const Trace& trace, const RuleReport& report);

} // namespace heddle
