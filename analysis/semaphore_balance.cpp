#include "analysis/semaphore_balance.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace heddle {

void SemaphoreBalances::add_operation(CountedSemaphore& semaphore, Reading& reading, const EventView& event) {
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

void SemaphoreBalances::take(const Trace& trace, const EventView& event) {
    const SemaphoreId id = event.semaphore();
    const std::uint32_t known = number_of(id);
    if (event.kind() != EventKind::sem_init) {
        if (known == kNone) return;
        add_operation(semaphores_[known], readings_[known], event);
        readings_[known].changed = true;
    } else if (event.has_value() && known == kNone) {
        if (id.value >= numbers_.size()) numbers_.resize(id.value + std::size_t{1}, kNone);
        numbers_[id.value] = static_cast<std::uint32_t>(semaphores_.size());
        semaphores_.push_back(
            {.id = id, .init = event.id(), .count = static_cast<std::int64_t>(trace.value_of(event))});
        readings_.emplace_back();
    }
}

void SemaphoreBalances::index() {
    for (std::size_t i = 0; i < semaphores_.size(); ++i) {
        if (!std::exchange(readings_[i].changed, false)) continue;
        for (SemaphoreColumn& column : semaphores_[i].columns) column.index();
    }
}

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

} // namespace heddle
