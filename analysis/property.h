// The violations that the analyses look for, as events of a trace. docs/algorithms.md defines what each claims and
// when a schedule reaches it.
#pragma once

#include "traces/id.h"

#include <cstdint>
#include <variant>
#include <vector>

namespace heddle {

using PropertyId = Id<struct PropertyTag>; ///< a candidate's number within one analysis

/// Two conflicting accesses that could stand next to each other.
struct Race {
    EventId first; ///< earlier in the recorded order
    EventId second;

    bool operator==(const Race&) const = default;
};

/// first access – remote access – second access of the transaction.
enum class AtomicityPattern : std::uint8_t { rwr, rww, wrw, wwr, www };

/// A remote access between two accesses of one transaction.
struct AtomicityViolation {
    EventId first;
    EventId remote;
    EventId second;
    AtomicityPattern pattern = AtomicityPattern::rwr;

    bool operator==(const AtomicityViolation&) const = default;
};

/// One thread of a deadlock: it acquired a lock at `holds` and has it still when it asks for another at `requests`.
struct DeadlockStep {
    EventId holds;
    EventId requests;

    bool operator==(const DeadlockStep&) const = default;
};

/// Each step requests the lock that the next one holds, the last one that of the first.
struct Deadlock {
    std::vector<DeadlockStep> steps;

    bool operator==(const Deadlock&) const = default;
};

using Property = std::variant<Race, AtomicityViolation, Deadlock>;

} // namespace heddle
