#include "traces/recorder/stack_owners.h"

#include "traces/recorder/internal_memory.h"
#include "traces/recorder/thread_state.h"

#include <algorithm>

namespace heddle::recorder {

constinit StackOwners stack_owners;

void StackOwners::add(ThreadState& state) noexcept {
    set(state, &state);
}
void StackOwners::remove(ThreadState& state) noexcept {
    set(state, nullptr);
}

void StackOwners::set(const ThreadState& state, ThreadState* owner) noexcept {
    const Address end = state.stack_low + state.stack_bytes;
    for (Address at = end - std::min(state.stack_bytes, kMostBytes); at < end;
         at += Address{1} << kPageBits) {
        if (at >> kRegionBits >= kRegions) return;
        Page* pages = pages_of(at >> kRegionBits);
        if (pages == nullptr) return;
        pages[at >> kPageBits & (kPagesPerRegion - 1)].store(owner, std::memory_order_relaxed);
    }
}

StackOwners::Page* StackOwners::pages_of(std::size_t region) noexcept {
    Page* pages = __atomic_load_n(&regions_[region], __ATOMIC_ACQUIRE);
    if (pages != nullptr) return pages;
    auto* fresh = static_cast<Page*>(reserve(kPagesPerRegion * sizeof(Page)));
    // The loser's is left unused: it is address space, no memory.
    const bool first =
        fresh != nullptr && __atomic_compare_exchange_n(&regions_[region], &pages, fresh, false,
                                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return first ? fresh : pages;
}

} // namespace heddle::recorder
