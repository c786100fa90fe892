#include "traces/recorder/barrier_rounds.h"

#include "traces/recorder/internal_memory.h"

#include <mutex>
#include <utility>

namespace heddle::recorder {

namespace {

struct Barrier {
    std::uint32_t key;
    unsigned count;
    std::uint64_t entered;
    Barrier* next;
};
constinit SpinLock barrier_lock;
constinit Barrier* barriers = nullptr;

Barrier** find(std::uint32_t key) noexcept {
    Barrier** link = &barriers;
    while (*link != nullptr && (*link)->key != key) link = &(*link)->next;
    return link;
}

} // namespace

void begin_barrier(std::uint32_t barrier, unsigned count) noexcept {
    auto* fresh = static_cast<Barrier*>(allocate(sizeof(Barrier)));
    if (fresh == nullptr) return;
    const std::scoped_lock lock(barrier_lock);
    *fresh = {barrier, count, 0, barriers};
    barriers = fresh;
}

void end_barrier(std::uint32_t barrier) noexcept {
    const std::scoped_lock lock(barrier_lock);
    Barrier** link = find(barrier);
    if (*link != nullptr) release(std::exchange(*link, (*link)->next));
}

std::optional<std::uint64_t> enter_barrier(ThreadState& state, ObjectKey barrier, Address place) noexcept {
    make_room(state, 3);
    const std::scoped_lock lock(barrier_lock);
    std::optional<std::uint64_t> round;
    if (Barrier* found = *find(barrier); found != nullptr) round = found->entered++ / found->count;
    record_synchronisation(state, EventKind::barrier_enter, barrier, place, round);
    return round;
}

void forget_barriers() noexcept {
    barrier_lock.reset();
    barriers = nullptr;
}

} // namespace heddle::recorder
