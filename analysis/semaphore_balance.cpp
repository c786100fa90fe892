#include "analysis/semaphore_balance.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <unordered_map>

namespace heddle {

namespace {

constexpr std::uint32_t kNoIndex = 0xFFFF'FFFF;

/// A semaphore while the trace is read.
struct Reading {
    std::vector<EventId> posts;
    std::size_t waits = 0;
    std::unordered_map<std::uint32_t, std::size_t> column_of; ///< by thread
};

void add_operation(CountedSemaphore& semaphore, Reading& reading, const EventView& event) {
    const auto [found, is_new] =
        reading.column_of.try_emplace(event.thread().value, semaphore.columns.size());
    if (is_new) semaphore.columns.push_back({.thread = event.thread(), .balance = {0}});
    SemaphoreColumn& column = semaphore.columns[found->second];
    column.operations.push_back(event.id());
    if (event.kind() == EventKind::sem_post) {
        column.balance.push_back(column.balance.back() + 1);
        reading.posts.push_back(event.id());
        return;
    }
    column.balance.push_back(column.balance.back() - 1);
    const auto unpaid = static_cast<std::int64_t>(reading.waits++) - semaphore.count;
    if (unpaid >= 0 && unpaid < static_cast<std::int64_t>(reading.posts.size()))
        semaphore.paid_by.emplace_back(reading.posts[static_cast<std::size_t>(unpaid)], event.id());
}

} // namespace

std::size_t SemaphoreColumn::operations_before(std::uint32_t bound) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(operations, EventId{bound}) -
                                    operations.begin());
}

// The leaves of `peaks` are its second half, in order; missing ones are as small as can be.

void SemaphoreColumn::index() {
    const std::size_t leaves = std::bit_ceil(balance.size());
    peaks.assign(2 * leaves, std::numeric_limits<std::int64_t>::min());
    std::ranges::copy(balance, peaks.begin() + static_cast<std::ptrdiff_t>(leaves));
    for (std::size_t n = leaves; n-- > 1;) peaks[n] = std::max(peaks[2 * n], peaks[2 * n + 1]);
}

std::int64_t SemaphoreColumn::best(std::size_t from, std::size_t to) const {
    const std::size_t leaves = peaks.size() / 2;
    std::int64_t result = std::numeric_limits<std::int64_t>::min();
    std::size_t low = from + leaves;
    std::size_t high = to + leaves + 1;
    for (; low < high; low /= 2, high /= 2) {
        if (low % 2 == 1) result = std::max(result, peaks[low++]);
        if (high % 2 == 1) result = std::max(result, peaks[--high]);
    }
    return result;
}

std::size_t SemaphoreColumn::first_with(std::int64_t enough, std::size_t from) const {
    const std::size_t leaves = peaks.size() / 2;
    std::size_t n = from + leaves;
    while (peaks[n] < enough) {
        while (n % 2 == 1) n /= 2; // what ends where n ends is too small as well
        if (n == 0) return balance.size();
        ++n;
    }
    while (n < leaves) n = peaks[2 * n] >= enough ? 2 * n : 2 * n + 1;
    return n - leaves;
}

std::size_t SemaphoreColumn::last_with(std::int64_t enough, std::size_t to) const {
    const std::size_t leaves = peaks.size() / 2;
    std::size_t n = to + leaves;
    while (peaks[n] < enough) {
        while (n % 2 == 0) n /= 2; // what begins where n begins is too small as well
        --n;
    }
    while (n < leaves) n = peaks[2 * n + 1] >= enough ? 2 * n + 1 : 2 * n;
    return n - leaves;
}

std::vector<CountedSemaphore> counted_semaphores(const Trace& trace) {
    std::vector<CountedSemaphore> result;
    std::vector<Reading> readings;
    std::vector<std::uint32_t> index(trace.objects(ObjectKind::semaphore).size(), kNoIndex);
    if (index.empty()) return result;
    for (const EventView event : trace.events()) {
        switch (event.kind()) {
        case EventKind::sem_init:
            if (!event.has_value() || index[event.semaphore().value] != kNoIndex) break;
            index[event.semaphore().value] = static_cast<std::uint32_t>(result.size());
            result.push_back({.id = event.semaphore(),
                              .init = event.id(),
                              .count = static_cast<std::int64_t>(trace.value_of(event))});
            readings.emplace_back();
            break;
        case EventKind::sem_post:
        case EventKind::sem_wait:
            if (const std::uint32_t at = index[event.semaphore().value]; at != kNoIndex)
                add_operation(result[at], readings[at], event);
            break;
        default: break;
        }
    }
    for (CountedSemaphore& semaphore : result)
        for (SemaphoreColumn& column : semaphore.columns) column.index();
    return result;
}

} // namespace heddle
