// Random traces of programs that could exist, for tests, benchmarks and demonstrations.
//
// generate() simulates a scheduler over threads that share memory, locks and the rest, and records what
// they do: every trace is a real execution and breaks none of the rules in rules.h. T0 initialises, forks
// the workers T1, T2, …, works along, and joins them at the end. The same settings give the same trace on
// every machine. Objects, places, stacks and strings are numbered in order of first use; the outer frames
// of a stack come before its inner ones.
#pragma once

#include "traces/progress.h"
#include "traces/result.h"
#include "traces/trace.h"

#include <cstdint>
#include <map>
#include <string>

namespace heddle {

/// Rates and fractions are between 0 and 1.
struct GeneratorSettings {
    std::uint64_t seed = 1;
    std::uint64_t events = 1000; ///< of the whole trace; what comes out is within a few percent
    std::uint32_t threads = 4;   ///< T0 included
    double mean_run = 8;         ///< steps that a thread makes before the scheduler takes another

    // Memory. Each shared variable has a guard, one of the locks.
    std::uint32_t variables = 16;        ///< shared ones
    std::uint32_t private_variables = 4; ///< of each thread
    std::uint32_t blocks = 0;            ///< heap blocks of shared variables alive at a time
    double sharing = 0.7;                ///< fraction of accesses that go to shared variables
    double race_rate = 0;                ///< fraction of those made without the guard
    double writes = 0.4;                 ///< fraction of accesses
    double atomics = 0;                  ///< fraction of accesses; they have variables of their own
    bool mixed_sizes = false;            ///< accesses to parts of variables
    bool values = true;                  ///< record what was read and written

    // Critical sections.
    std::uint32_t locks = 4;
    std::uint32_t rwlocks = 0;        ///< how many of the locks
    std::uint32_t max_lock_depth = 2; ///< locks held at once
    bool nested = true;               ///< locks are released in the opposite order
    double section_accesses = 6;      ///< mean number in a critical section
    double deadlock_rate = 0;         ///< fraction of inner acquisitions that disregard the order of locks
    double transactions = 0;          ///< fraction of critical sections inside a transaction

    // Everything else a thread may do instead of a critical section.
    double other_work = 0.25; ///< how often, when one of these is set
    std::uint32_t conditions = 0;
    double timeouts = 0.1; ///< fraction of waits for a condition that nobody ends
    std::uint32_t barriers = 0;
    std::uint32_t semaphores = 0;
    std::uint32_t semaphore_count = 2; ///< initially
    std::uint32_t onces = 0;
    std::uint32_t annotations = 0; ///< tags that happens-before marks use

    // Source.
    std::uint32_t places = 100;    ///< about; at least one for each kind of operation
    std::uint32_t stack_depth = 1; ///< frames; 0: events have no place

    bool operator==(const GeneratorSettings&) const = default;
};

/// Calls visit(name, member) for every setting.
template<typename Settings, typename Visit>
void for_each_setting(Settings& settings, Visit&& visit) {
    visit("seed", settings.seed);
    visit("events", settings.events);
    visit("threads", settings.threads);
    visit("mean_run", settings.mean_run);
    visit("variables", settings.variables);
    visit("private_variables", settings.private_variables);
    visit("blocks", settings.blocks);
    visit("sharing", settings.sharing);
    visit("race_rate", settings.race_rate);
    visit("writes", settings.writes);
    visit("atomics", settings.atomics);
    visit("mixed_sizes", settings.mixed_sizes);
    visit("values", settings.values);
    visit("locks", settings.locks);
    visit("rwlocks", settings.rwlocks);
    visit("max_lock_depth", settings.max_lock_depth);
    visit("nested", settings.nested);
    visit("section_accesses", settings.section_accesses);
    visit("deadlock_rate", settings.deadlock_rate);
    visit("transactions", settings.transactions);
    visit("other_work", settings.other_work);
    visit("conditions", settings.conditions);
    visit("timeouts", settings.timeouts);
    visit("barriers", settings.barriers);
    visit("semaphores", settings.semaphores);
    visit("semaphore_count", settings.semaphore_count);
    visit("onces", settings.onces);
    visit("annotations", settings.annotations);
    visit("places", settings.places);
    visit("stack_depth", settings.stack_depth);
}

/// Whether generate() accepts the settings; an error names the setting.
[[nodiscard]] Result<void> validate(const GeneratorSettings& settings);

/// Seed, events and threads, and whatever differs from the defaults: what a trace's metadata records.
[[nodiscard]] std::map<std::string, std::string> describe(const GeneratorSettings& settings);

/// The settings must be valid. When told to stop early, gives the execution up to that point.
[[nodiscard]] Trace generate(const GeneratorSettings& settings, const Progress& progress = {});

/// Shaped like recordings of server programs, for benchmarks: set `seed` and `events`.
[[nodiscard]] GeneratorSettings realistic();

/// Random settings for a small trace in which every kind of event is likely.
[[nodiscard]] GeneratorSettings every_kind(std::uint64_t seed);

} // namespace heddle
