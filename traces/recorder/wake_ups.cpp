#include "traces/recorder/wake_ups.h"

#include "traces/recorder/internal_memory.h"

#include <array>
#include <mutex>
#include <utility>

namespace heddle::recorder {

namespace {

struct Ticket {
    std::uint64_t number;
    std::uint32_t waits; ///< that it can still end
};

/// A condition that some thread waits for.
struct Awaited {
    std::uint32_t condition;
    std::uint32_t waiting;
    std::uint32_t tickets;
    std::array<Ticket, 12> given; ///< oldest first; when there are more, the oldest is forgotten
    Awaited* next;

    void give(Ticket ticket) noexcept {
        if (tickets == given.size()) take_out(0);
        given[tickets++] = ticket;
    }
    void take_out(std::uint32_t at) noexcept {
        --tickets;
        for (; at < tickets; ++at) given[at] = given[at + 1];
    }
    [[nodiscard]] std::uint32_t waits_to_end() const noexcept {
        std::uint32_t sum = 0;
        for (std::uint32_t i = 0; i < tickets; ++i) sum += given[i].waits;
        return sum;
    }
};

struct alignas(64) Stripe {
    SpinLock lock;
    Awaited* first = nullptr;
    Awaited* unused = nullptr; ///< waits begin and end all the time: the last one's memory is for the next

    [[nodiscard]] Awaited** find(std::uint32_t condition) noexcept {
        Awaited** link = &first;
        while (*link != nullptr && (*link)->condition != condition) link = &(*link)->next;
        return link;
    }
    /// To be put where find() ended; nothing if there is no memory.
    [[nodiscard]] Awaited* add(std::uint32_t condition) noexcept {
        Awaited* fresh = std::exchange(unused, nullptr);
        if (fresh == nullptr) fresh = static_cast<Awaited*>(allocate(sizeof(Awaited)));
        if (fresh != nullptr) *fresh = {.condition = condition};
        return fresh;
    }
    void remove(Awaited** link) noexcept {
        Awaited* old = std::exchange(*link, (*link)->next);
        if (unused == nullptr) {
            unused = old;
        } else {
            release(old);
        }
    }
};
constinit std::array<Stripe, 256> stripes;
constinit std::atomic<std::uint64_t> last_ticket{0};

Stripe& stripe_of(std::uint32_t condition) {
    return stripes[condition / 2 % stripes.size()];
}

} // namespace

Wait begin_wait(ThreadState& state, ObjectKey condition, Address place) noexcept {
    make_room(state, 3);
    Stripe& stripe = stripe_of(condition);
    const std::scoped_lock lock(stripe.lock);
    record_synchronisation(state, EventKind::wait_pre, condition, place);
    Awaited** link = stripe.find(condition);
    if (*link == nullptr) *link = stripe.add(condition);
    if (*link != nullptr) ++(*link)->waiting;
    return {condition, last_ticket.load()};
}

std::optional<std::uint64_t> end_wait(const Wait& wait, bool timed_out) noexcept {
    Stripe& stripe = stripe_of(wait.condition);
    const std::scoped_lock lock(stripe.lock);
    Awaited** link = stripe.find(wait.condition);
    Awaited* awaited = *link;
    if (awaited == nullptr) return std::nullopt;
    std::optional<std::uint64_t> ticket;
    for (std::uint32_t i = 0; !timed_out && !ticket && i < awaited->tickets; ++i) {
        Ticket& given = awaited->given[i];
        if (given.number <= wait.began) continue;
        ticket = given.number;
        if (--given.waits == 0) awaited->take_out(i);
    }
    if (--awaited->waiting == 0) stripe.remove(link);
    return ticket;
}

void notify(ThreadState& state, ObjectKey condition, bool all, Address place) noexcept {
    make_room(state, 3);
    Stripe& stripe = stripe_of(condition);
    const std::scoped_lock lock(stripe.lock);
    const EventKind kind = all ? EventKind::notify_all : EventKind::notify;
    Awaited* awaited = *stripe.find(condition);
    if (awaited == nullptr) return record_synchronisation(state, kind, condition, place);
    const std::uint64_t number = last_ticket.fetch_add(1) + 1;
    record_synchronisation(state, kind, condition, place, number);
    const std::uint32_t asleep = awaited->waiting - std::min(awaited->waiting, awaited->waits_to_end());
    if (asleep > 0) awaited->give({number, all ? asleep : 1});
}

void forget_waits() noexcept {
    for (Stripe& stripe : stripes) {
        stripe.lock.reset();
        stripe.first = nullptr;
        stripe.unused = nullptr;
    }
}

} // namespace heddle::recorder
