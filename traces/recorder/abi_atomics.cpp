// The callbacks that compilers emit for atomic operations under -fsanitize=thread: they perform them.
#include "traces/recorder/atomics.h"
#include "traces/recorder/export.h"
#include "traces/recorder/interception.h"

#include <utility>

using namespace heddle::recorder;
using heddle::EventKind;
using heddle::MemoryOrder;

namespace {

using Int8 = std::uint8_t;
using Int16 = std::uint16_t;
using Int32 = std::uint32_t;
using Int64 = std::uint64_t;
__extension__ using Int128 = unsigned __int128;

/// The compilers pass C++'s orders as numbers from 0 on; higher bits are hints for other tools.
MemoryOrder order_of(int order) noexcept {
    const auto known = static_cast<unsigned>(order) & 7U;
    return known <= 5 ? static_cast<MemoryOrder>(known + 1) : MemoryOrder::seq_cst;
}

template<typename Int>
struct Outcome {
    EventKind kind;
    Int seen;
    Int stored;
    bool failed = false;

    /// The part of it that concerns 8 bytes from `shift` bits on.
    [[nodiscard]] AtomicOutcome part(unsigned shift) const noexcept {
        return {kind, static_cast<std::uint64_t>(seen >> shift), static_cast<std::uint64_t>(stored >> shift),
                failed};
    }
};

/// A 128-bit location is two variables. Both get the event; the first one's lock orders the operation.
template<typename Int, typename Operation, typename OutcomeOf>
auto perform(const AtomicAccess& access, Operation&& operation, OutcomeOf&& outcome_of) noexcept {
    if constexpr (sizeof(Int) <= 8) {
        return atomic_operation(access, sizeof(Int), operation,
                                [&](Int result) { return outcome_of(result).part(0); });
    } else {
        Outcome<Int> outcome{};
        const Int result = atomic_operation(access, 8, operation, [&](Int done) {
            outcome = outcome_of(done);
            return outcome.part(0);
        });
        AtomicAccess upper = access;
        upper.address += 8;
        atomic_operation(
            upper, 8, [] { return 0; }, [&](int) { return outcome.part(64); });
        return result;
    }
}

// 128 bits: the processor has only the compare-exchange.
Int128 load_now(const volatile Int128* at) noexcept {
    return __sync_val_compare_and_swap(const_cast<volatile Int128*>(at), 0, 0);
}
bool exchange_now(volatile Int128* at, Int128& expected, Int128 desired) noexcept {
    const Int128 seen = __sync_val_compare_and_swap(at, expected, desired);
    return std::exchange(expected, seen) == seen;
}
template<typename Int>
Int load_now(const volatile Int* at) noexcept {
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);
}
template<typename Int>
bool exchange_now(volatile Int* at, Int& expected, Int desired) noexcept {
    return __atomic_compare_exchange_n(at, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

template<typename Int>
Int load(const volatile Int* at, int order, Address place) noexcept {
    const AtomicAccess access{
        .address = address_of(at), .order = order_of(order), .place = place, .only_reads = true};
    if constexpr (sizeof(Int) <= 8) {
        const Int polled = load_now(at);
        const ThreadState* state = current_state;
        if (state != nullptr && state->pending_count == 0 && is_polling(*state, access, polled))
            return polled;
    }
    return perform<Int>(
        access, [&] { return load_now(at); },
        [](Int seen) {
            return Outcome<Int>{EventKind::atomic_load, seen, 0};
        });
}

template<typename Int, typename Combine>
Int read_modify_write(volatile Int* at, int order, Address place, Combine&& combine,
                      EventKind kind = EventKind::atomic_rmw) noexcept {
    return perform<Int>(
        {address_of(at), order_of(order), place},
        [&] {
            Int seen = load_now(at);
            while (!exchange_now(at, seen, combine(seen))) {
            }
            return seen;
        },
        [&](Int seen) {
            return Outcome<Int>{kind, seen, combine(seen)};
        });
}

template<typename Int>
void store(volatile Int* at, Int value, int order, Address place) noexcept {
    read_modify_write<Int>(
        at, order, place, [&](Int) { return value; }, EventKind::atomic_store);
}

template<typename Int>
int compare_exchange(volatile Int* at, Int* expected, Int desired, int order, int failure_order,
                     Address place) noexcept {
    bool done = false;
    Int seen = *expected;
    perform<Int>(
        {address_of(at), order_of(order), place, order_of(failure_order)},
        [&] {
            done = exchange_now(at, seen, desired);
            return seen;
        },
        [&](Int found) {
            return done ? Outcome<Int>{EventKind::atomic_rmw, found, desired}
                        : Outcome<Int>{EventKind::atomic_load, found, 0, true};
        });
    if (!done) *expected = seen;
    return done ? 1 : 0;
}

} // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the names are the compilers'
#define HEDDLE_FETCH(bits, operation, combined)                                                              \
    HEDDLE_EXPORT Int##bits __tsan_atomic##bits##_##operation(volatile Int##bits* at, Int##bits operand,     \
                                                              int order) noexcept {                          \
        return read_modify_write<Int##bits>(at, order, HEDDLE_CALLER,                                        \
                                            [&](Int##bits old) { return Int##bits(combined); });             \
    }

#define HEDDLE_ATOMICS(bits)                                                                                 \
    HEDDLE_EXPORT Int##bits __tsan_atomic##bits##_load(const volatile Int##bits* at, int order) noexcept {   \
        return load<Int##bits>(at, order, HEDDLE_CALLER);                                                    \
    }                                                                                                        \
    HEDDLE_EXPORT void __tsan_atomic##bits##_store(volatile Int##bits* at, Int##bits value,                  \
                                                   int order) noexcept {                                     \
        store<Int##bits>(at, value, order, HEDDLE_CALLER);                                                   \
    }                                                                                                        \
    HEDDLE_FETCH(bits, exchange, (static_cast<void>(old), operand))                                          \
    HEDDLE_FETCH(bits, fetch_add, old + operand)                                                             \
    HEDDLE_FETCH(bits, fetch_sub, old - operand)                                                             \
    HEDDLE_FETCH(bits, fetch_and, old& operand)                                                              \
    HEDDLE_FETCH(bits, fetch_or, old | operand)                                                              \
    HEDDLE_FETCH(bits, fetch_xor, old ^ operand)                                                             \
    HEDDLE_FETCH(bits, fetch_nand, ~(old & operand))                                                         \
    HEDDLE_EXPORT int __tsan_atomic##bits##_compare_exchange_strong(                                         \
        volatile Int##bits* at, Int##bits* expected, Int##bits desired, int order, int failed) noexcept {    \
        return compare_exchange<Int##bits>(at, expected, desired, order, failed, HEDDLE_CALLER);             \
    }                                                                                                        \
    HEDDLE_EXPORT int __tsan_atomic##bits##_compare_exchange_weak(                                           \
        volatile Int##bits* at, Int##bits* expected, Int##bits desired, int order, int failed) noexcept {    \
        return compare_exchange<Int##bits>(at, expected, desired, order, failed, HEDDLE_CALLER);             \
    }                                                                                                        \
    HEDDLE_EXPORT Int##bits __tsan_atomic##bits##_compare_exchange_val(                                      \
        volatile Int##bits* at, Int##bits expected, Int##bits desired, int order, int failed) noexcept {     \
        compare_exchange<Int##bits>(at, &expected, desired, order, failed, HEDDLE_CALLER);                   \
        return expected;                                                                                     \
    }

HEDDLE_ATOMICS(8)
HEDDLE_ATOMICS(16)
HEDDLE_ATOMICS(32)
HEDDLE_ATOMICS(64)
HEDDLE_ATOMICS(128)

HEDDLE_EXPORT void __tsan_atomic_thread_fence(int order) noexcept {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    ThreadState* state = atomic_thread();
    if (state == nullptr) return replay::happened(heddle::replay::Operation::fence, nullptr, HEDDLE_CALLER);
    const Inside inside(*state);
    record_synchronisation(*state, EventKind::fence, 0, HEDDLE_CALLER, std::nullopt, order_of(order));
}
/// Orders a thread only with its own signal handlers: nothing between threads.
HEDDLE_EXPORT void __tsan_atomic_signal_fence(int /*order*/) noexcept {}
// NOLINTEND(bugprone-reserved-identifier)
