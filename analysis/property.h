// The violations that the analyses look for, as events of a trace. docs/algorithms.md defines what each
// claims and when a schedule reaches it.
#pragma once

#include "traces/event.h"
#include "traces/id.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
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
inline constexpr std::array<std::string_view, 5> kAtomicityPatternNames = {"RWR", "RWW", "WRW", "WWR", "WWW"};

/// The pattern of three accesses that write or only read; nothing when some serial order explains them.
[[nodiscard]] constexpr std::optional<AtomicityPattern>
atomicity_pattern(bool first_writes, bool remote_writes, bool second_writes) {
    if (!remote_writes) {
        if (first_writes && second_writes) return AtomicityPattern::wrw;
        return std::nullopt;
    }
    if (first_writes) return second_writes ? AtomicityPattern::www : AtomicityPattern::wwr;
    return second_writes ? AtomicityPattern::rww : AtomicityPattern::rwr;
}

/// Of accesses of these kinds. Three read-modify-writes violate nothing: each takes what it finds and adds to
/// that, as in reference counts and tickets.
[[nodiscard]] constexpr std::optional<AtomicityPattern> atomicity_pattern(EventKind first, EventKind remote,
                                                                          EventKind second) {
    constexpr EventKind kUpdate = EventKind::atomic_rmw;
    if (first == kUpdate && remote == kUpdate && second == kUpdate) return std::nullopt;
    return atomicity_pattern(writes_memory(first), writes_memory(remote), writes_memory(second));
}

/// A remote access between two accesses of one transaction.
struct AtomicityViolation {
    EventId first;
    EventId remote;
    EventId second;
    AtomicityPattern pattern = AtomicityPattern::rwr;

    bool operator==(const AtomicityViolation&) const = default;
};

/// One thread of a deadlock: it acquired a lock at `holds` and has it still when it asks for another at
/// `requests`.
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

/// The events at which its threads stand, in the property's order: of a deadlock, the requests.
[[nodiscard]] std::vector<EventId> events_of(const Property& property);

struct PropertyHash {
    [[nodiscard]] std::size_t operator()(const Property& property) const;
};

} // namespace heddle
