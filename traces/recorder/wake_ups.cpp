#include "traces/recorder/wake_ups.h"

#include "traces/recorder/real_functions.h"

#include <array>
#include <cerrno>
#include <mutex>

namespace heddle::recorder {

namespace {

/// The waits for the conditions of some addresses, oldest first.
struct alignas(64) Queue {
    SpinLock lock;
    Waiter* first = nullptr;

    void add(Waiter& waiter) noexcept {
        Waiter** link = &first;
        while (*link != nullptr) link = &(*link)->next;
        waiter.next = nullptr;
        *link = &waiter;
    }
    /// Takes out the oldest wait for the condition; nothing if there is none.
    [[nodiscard]] Waiter* take(Address condition) noexcept {
        for (Waiter** link = &first; *link != nullptr; link = &(*link)->next) {
            if ((*link)->condition == condition) return take_out(link);
        }
        return nullptr;
    }
    void remove(const Waiter& waiter) noexcept {
        Waiter** link = &first;
        while (*link != &waiter) link = &(*link)->next;
        static_cast<void>(take_out(link));
    }
    [[nodiscard]] bool has(Address condition) const noexcept {
        const Waiter* waiter = first;
        while (waiter != nullptr && waiter->condition != condition) waiter = waiter->next;
        return waiter != nullptr;
    }

  private:
    static Waiter* take_out(Waiter** link) noexcept {
        Waiter* waiter = *link;
        *link = waiter->next;
        waiter->condition = 0;
        return waiter;
    }
};
constinit std::array<Queue, 256> queues;
constinit std::atomic<std::uint64_t> last_ticket{0};

Queue& queue_of(Address condition) noexcept {
    return queues[(condition >> 4U ^ condition >> 12U) % queues.size()];
}

/// Ends waits. Who sleeps is woken when the queue's lock is free again, as the system takes its time: unless
/// there are very many.
class Wakening {
  public:
    /// The queue's lock is held.
    Wakening(Queue& queue, Address condition, bool all, std::uint64_t ticket) noexcept : all_(all) {
        do {
            Waiter* waiter = queue.take(condition);
            if (waiter == nullptr) return;
            woke_ = true;
            outside_ |= waiter->sleeps_outside;
            waiter->ticket = waiter->began < ticket ? ticket : 0;
            if (waiter->stage.exchange(Waiter::Stage::notified) == Waiter::Stage::asleep) wake(*waiter);
        } while (all);
    }
    /// The queue's lock is not held.
    [[nodiscard]] RealNotify finish() noexcept {
        for (std::size_t i = 0; i < asleep_; ++i) real().sem_post(&beds_[i]->bed);
        return all_ || outside_ || !woke_ ? RealNotify::needed : RealNotify::not_needed;
    }

  private:
    void wake(Waiter& waiter) noexcept {
        if (asleep_ == beds_.size()) {
            real().sem_post(&waiter.bed);
        } else {
            beds_[asleep_++] = &waiter;
        }
    }

    bool all_;
    bool woke_ = false;
    bool outside_ = false;
    std::size_t asleep_ = 0;
    std::array<Waiter*, 32> beds_;
};

/// A handler of a signal that interrupted the recorder must not wait for a lock that its own thread has.
constexpr unsigned kMostYields = 1000;
bool try_for_long(SpinLock& lock) noexcept {
    for (unsigned i = 0; i < kMostYields; ++i) {
        if (lock.try_lock()) return true;
        ::sched_yield();
    }
    return false;
}

} // namespace

void begin_wait(ThreadState& state, Waiter& waiter, ObjectKey condition, Address place) noexcept {
    make_room(state, 3);
    Queue& queue = queue_of(condition.address);
    const std::scoped_lock lock(queue.lock);
    record_synchronisation(state, EventKind::wait_pre, condition, place);
    waiter.condition = condition.address;
    waiter.began = last_ticket.load();
    waiter.ticket = 0;
    waiter.stage.store(Waiter::Stage::awake, std::memory_order_relaxed);
    queue.add(waiter);
}

void sleep_until_notified(Waiter& waiter, clockid_t clock, const timespec* until) {
    using Stage = Waiter::Stage;
    constexpr unsigned kPauses = 128; // some microseconds: less than falling asleep and being woken take
    for (unsigned i = 0; i < kPauses; ++i) {
        if (waiter.stage.load(std::memory_order_acquire) == Stage::notified) return;
        __builtin_ia32_pause();
    }
    Stage before = Stage::awake;
    if (!waiter.stage.compare_exchange_strong(before, Stage::asleep)) return;
    while (waiter.stage.load(std::memory_order_acquire) != Stage::notified) {
        const int result =
            until == nullptr ? real().sem_wait(&waiter.bed) : real().sem_clockwait(&waiter.bed, clock, until);
        if (result != 0 && errno != EINTR) return; // its time is over
    }
}

std::optional<std::uint64_t> end_wait(Waiter& waiter, pthread_cond_t* condition, Leaving leaving) noexcept {
    const auto address = reinterpret_cast<Address>(condition);
    Queue& queue = queue_of(address);
    std::unique_lock lock(queue.lock);
    if (waiter.condition != 0) {
        queue.remove(waiter);
        return std::nullopt;
    }
    if (leaving == Leaving::of_itself) return waiter.ticket;
    Wakening next(queue, address, false, waiter.ticket);
    lock.unlock();
    if (next.finish() == RealNotify::needed) real().pthread_cond_signal(condition);
    return std::nullopt;
}

RealNotify notify(ThreadState& state, ObjectKey condition, bool all, Address place) noexcept {
    make_room(state, 3);
    Queue& queue = queue_of(condition.address);
    std::unique_lock lock(queue.lock);
    const EventKind kind = all ? EventKind::notify_all : EventKind::notify;
    if (!queue.has(condition.address)) {
        record_synchronisation(state, kind, condition, place);
        return RealNotify::needed;
    }
    const std::uint64_t ticket = last_ticket.fetch_add(1) + 1;
    record_synchronisation(state, kind, condition, place, ticket);
    Wakening wakening(queue, condition.address, all, ticket);
    lock.unlock();
    return wakening.finish();
}

RealNotify notify_unrecorded(const void* condition, bool all) noexcept {
    const auto address = reinterpret_cast<Address>(condition);
    Queue& queue = queue_of(address);
    if (!try_for_long(queue.lock)) return RealNotify::needed;
    Wakening wakening(queue, address, all, 0);
    queue.lock.unlock();
    return wakening.finish();
}

void forget_waits() noexcept {
    for (Queue& queue : queues) {
        queue.lock.reset();
        queue.first = nullptr;
    }
}

} // namespace heddle::recorder
