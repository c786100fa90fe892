// What each thread gives to and takes from each counted semaphore: posts minus waits after every one of its
// operations. A wait is allowed when the count it started with and the balances of all threads exceed 0.
//
// Only semaphores with a sem_init that carries a count appear: others never block (docs/algorithms.md).
// O(events). Pure values.
#pragma once

#include "traces/trace.h"

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle {

/// One thread's operations on one semaphore.
struct SemaphoreColumn {
    ThreadId thread;
    std::vector<EventId> operations;
    std::vector<std::int64_t> balance; ///< [k]: after the first k operations; one longer than operations
    std::vector<std::int64_t> peaks;   ///< a tree of maxima over balance: node n covers nodes 2n and 2n + 1

    /// How many operations have an id below `bound`.
    [[nodiscard]] std::size_t operations_before(std::uint32_t bound) const;

    // The rest is logarithmic.
    [[nodiscard]] std::int64_t best() const { return peaks[1]; }
    [[nodiscard]] std::int64_t best(std::size_t from, std::size_t to) const; ///< of balance[from..to]
    /// The first k >= from with balance[k] >= enough, or balance.size().
    [[nodiscard]] std::size_t first_with(std::int64_t enough, std::size_t from) const;
    /// The last k <= to with balance[k] >= enough. There must be one.
    [[nodiscard]] std::size_t last_with(std::int64_t enough, std::size_t to) const;
    /// Fills peaks once balance is complete.
    void index();
};

struct CountedSemaphore {
    SemaphoreId id;
    EventId init;
    std::int64_t count = 0;
    std::vector<SemaphoreColumn> columns; ///< of the threads that use it
    /// The i-th wait of the run with the post that pays for it, first in first out; waits that the initial
    /// count pays for have none. This is how the recorded run went, not what every schedule must do.
    std::vector<std::pair<EventId, EventId>> paid_by; ///< post, wait
};

/// The counted semaphores of a run, kept current while it grows.
class SemaphoreBalances {
  public:
    /// Takes the next semaphore operation of the run.
    void take(const Trace& trace, const EventView& event);
    /// To be called before all() after operations were taken.
    void index();

    [[nodiscard]] const std::vector<CountedSemaphore>& all() const { return semaphores_; }
    /// Into all(), by SemaphoreId; kNone for a semaphore that is not counted.
    [[nodiscard]] std::uint32_t number_of(SemaphoreId id) const {
        return id.value < numbers_.size() ? numbers_[id.value] : kNone;
    }
    static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  private:
    /// What is needed to go on.
    struct Reading {
        std::vector<EventId> posts;
        std::size_t waits = 0;
        std::unordered_map<std::uint32_t, std::size_t> column_of; ///< by thread
        bool changed = false;                                     ///< since index()
    };

    static void add_operation(CountedSemaphore& semaphore, Reading& reading, const EventView& event);

    std::vector<CountedSemaphore> semaphores_;
    std::vector<Reading> readings_;
    std::vector<std::uint32_t> numbers_;
};

} // namespace heddle
