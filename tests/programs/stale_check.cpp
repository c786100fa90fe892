// A seat is given to whoever finds it free. Looking and booking both take the lock, but one after the other:
// what was seen is old when it is acted on, and the clerk's booking in between is overwritten.
//
// threads: customer, clerk
//
// bug: atomicity RWW on 'seat.holder'
//   read `seat.holder` in book_if_free [look], holding 'seat.mutex'
//   write `seat.holder` in assign [assign], holding 'seat.mutex'
//   write `seat.holder` in book_if_free [book], holding 'seat.mutex'
//   because seat.mutex is given back between the look and the booking that depends on it
// not a bug: race on 'seat.holder'
//   read `seat.holder` in book_if_free [look], holding 'seat.mutex'
//   write `seat.holder` in assign [assign], holding 'seat.mutex'
//   because both hold seat.mutex
#include "sample.h"

#include <mutex>
#include <thread>

static constexpr long kNobody = 0;
static constexpr long kCustomer = 1;
static constexpr long kClerk = 2;

struct Seat {
    std::mutex mutex;
    long holder = kNobody;
};
static Seat seat;

NOINLINE static bool book_if_free(long who) {
    bool is_free = false;
    {
        const std::lock_guard<std::mutex> lock(seat.mutex);
        is_free = seat.holder == kNobody; // [look]
    }
    if (!is_free) return false;
    const std::lock_guard<std::mutex> lock(seat.mutex);
    seat.holder = who; // [book]
    return true;
}

NOINLINE static void assign(long who) {
    const std::lock_guard<std::mutex> lock(seat.mutex);
    seat.holder = who; // [assign]
}

int main() {
    bool booked = false;
    std::thread customer([&booked] {
        name_thread("customer");
        booked = book_if_free(kCustomer);
    });
    std::thread clerk([] {
        name_thread("clerk");
        work();
        assign(kClerk);
    });
    customer.join();
    clerk.join();
    if (seat.holder != kClerk) return WRONG_RESULT;
    return booked ? CLEAN_RUN : RARE_ORDER;
}
