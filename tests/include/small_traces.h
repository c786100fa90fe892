// Small random executions for comparison with the oracle, and traces written down as text.
//
// small_trace() plays a scheduler over a handful of threads that fight for very few objects: dense
// interaction matters, realism does not. Every trace is a prefix of a real execution and breaks no rule; it
// carries no places. The same options give the same trace on every machine.
#pragma once

#include "traces/trace.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::testing_support {

struct SmallTraceOptions {
    std::uint64_t seed = 1;
    std::uint32_t threads = 3; ///< at least 2
    std::uint32_t events = 18; ///< one more when it ends with a wait, less when all threads are stuck
    std::uint32_t locks = 2;
    std::uint32_t variables = 2;

    bool nested = true;       ///< locks are released in the opposite order
    bool rwlocks = false;     ///< locks are also taken shared
    bool fork_join = false;   ///< T0 is alone at first
    bool wait_notify = false; ///< some wake-ups are spurious
    bool barriers = false;
    bool semaphores = false; ///< with counts of 0 to 2, some with none known
    bool once = false;
    bool atomics = false; ///< on the same variables as plain accesses
    bool annotations = false;
    bool transactions = false;
    bool parts = false; ///< accesses to halves of variables
    /// Accesses carry what memory held or got, 0 to 2, in half of the traces all of them. What memory holds
    /// at first only reads tell.
    bool values = false;
};

[[nodiscard]] Trace small_trace(const SmallTraceOptions& options);

/// Random options: 2 to 4 threads, 6 to 24 events (rather many), 1 to 3 locks and variables, any mix of
/// features. One seed in four has only locks.
[[nodiscard]] SmallTraceOptions any_small(std::uint64_t seed);

/// The same with values, and at most 20 events.
[[nodiscard]] SmallTraceOptions any_valued(std::uint64_t seed);

/// The first events at random places, each called from one of two: `places` of them, named "p0", "p1", …
[[nodiscard]] Trace with_places(const Trace& trace, std::uint64_t seed, std::uint32_t places,
                                std::size_t events = SIZE_MAX);

/// Reads the text notation (docs/trace-text.md), such as "T1 w(x) @a". Damage or a broken rule fails the
/// test.
[[nodiscard]] Trace trace_of(std::string_view text);

/// The trace in that notation, for the message of a test that failed.
[[nodiscard]] std::string text_of(const Trace& trace);

} // namespace heddle::testing_support
