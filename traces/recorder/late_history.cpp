#include "traces/recorder/late_history.h"

#include "traces/recorder/record.h"
#include "traces/recorder/spin_lock.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <tuple>

namespace heddle::recorder {

namespace {

struct Waiting {
    SpinLock lock;
    std::vector<LateEvent> events;
};
constinit Waiting* waiting = nullptr;
constinit std::atomic<std::size_t> size{0};
constinit SpinLock creation;

Waiting& queue() {
    const std::scoped_lock lock(creation);
    if (waiting == nullptr) waiting = new Waiting;
    return *waiting;
}

} // namespace

namespace {

void add_bits(std::vector<LateEvent>& to, std::uint32_t identity, Address granule, const HistoryBits& bits) {
    const HistoryPage& page = history.page(bits.page);
    const unsigned sites = page.sites.load(std::memory_order_acquire);
    for (unsigned bit = 0; bit < sites; ++bit) {
        const bool low = bit < HistoryBits::kLowBits;
        const std::uint64_t word = low ? bits.low : bits.high;
        if ((word >> (low ? bit : bit - HistoryBits::kLowBits) & 1U) == 0) continue;
        const HistorySite& site = history.site(page, bit);
        to.push_back({page.stamp + site.position, granule, identity, page.thread, site.stack, site.what});
    }
}

} // namespace

void add_late_history(std::uint32_t identity, Address granule, const HistoryBits& bits,
                      std::uint32_t past) noexcept {
    Waiting& to = queue();
    const std::scoped_lock lock(to.lock);
    if ((past & kCallBit) != 0) past = kNoStep;
    const bool told_by_past = past != kNoStep && history.step(past).bits.page == bits.page;
    for (; past != kNoStep; past = history.step(past).earlier)
        add_bits(to.events, identity, granule, history.step(past).bits);
    if (!told_by_past) add_bits(to.events, identity, granule, bits);
    size.store(to.events.size(), std::memory_order_release);
}

void add_late_alloc(const LateAlloc& alloc) noexcept {
    Waiting& to = queue();
    const std::scoped_lock lock(to.lock);
    to.events.push_back({.stamp = alloc.stamp,
                         .address = alloc.block,
                         .identity = alloc.identity,
                         .thread = alloc.thread,
                         .stack = alloc.stack,
                         .what = Record::what(Record::head_of(EventKind::alloc, alloc.block)),
                         .size = alloc.size | (alloc.is_frame ? Record::kFrame : 0)});
    size.store(to.events.size(), std::memory_order_release);
}

std::vector<LateEvent> take_late_history() {
    std::vector<LateEvent> taken;
    Waiting& from = queue();
    {
        const std::scoped_lock lock(from.lock);
        taken.swap(from.events);
        size.store(0, std::memory_order_release);
    }
    std::stable_sort(taken.begin(), taken.end(), [](const LateEvent& a, const LateEvent& b) {
        return std::tuple(a.stamp, a.size == 0) < std::tuple(b.stamp, b.size == 0);
    });
    return taken;
}

std::size_t late_history_size() noexcept {
    return size.load(std::memory_order_acquire);
}

void forget_late_history() noexcept {
    creation.reset();
    waiting = nullptr;
    size.store(0);
}

} // namespace heddle::recorder
