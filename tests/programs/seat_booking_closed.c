// Seats of a hall, as in seat_booking.c; but calls are taken only after the counter has closed, and who calls
// earlier waits.
//
// threads: clerk, caller
//
// no witness: atomicity WWR on 'seats[*]'
//   write `seats[seat]` in book [book], holding 'counter', 'hall'
//   write `seats[seat]` in book [book], holding 'hall'
//   read `seats[seat]` in holder_of [print], holding 'counter', 'hall'
//   because the caller does not go on before it has seen that the counter is closed
// not a bug: race on 'seats[*]'
//   write `seats[seat]` in book [book], holding 'hall'
//   read `seats[seat]` in holder_of [print], holding 'counter', 'hall'
//   because both hold the hall
#include "sample.h"

enum { SEATS = 4, CLERK = 1, CALLER = 2 };

static pthread_mutex_t counter = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t hall = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t closed = PTHREAD_COND_INITIALIZER;
static int is_closed;
static long seats[SEATS];

static NOINLINE void book(int seat, long who) {
    pthread_mutex_lock(&hall);
    seats[seat] = who; // [book]
    pthread_mutex_unlock(&hall);
}

static NOINLINE long holder_of(int seat) {
    pthread_mutex_lock(&hall);
    const long who = seats[seat]; // [print]
    pthread_mutex_unlock(&hall);
    return who;
}

static NOINLINE void close_counter(void) {
    pthread_mutex_lock(&hall);
    is_closed = 1;
    pthread_cond_signal(&closed);
    pthread_mutex_unlock(&hall);
}

static NOINLINE void await_closing(void) {
    pthread_mutex_lock(&hall);
    while (!is_closed) pthread_cond_wait(&closed, &hall);
    pthread_mutex_unlock(&hall);
}

// How many tickets have another name than the clerk's.
static void* sell(void* unused) {
    long wrong = 0;
    (void)unused;
    name_thread("clerk");
    for (int seat = 0; seat < SEATS; ++seat) {
        pthread_mutex_lock(&counter);
        book(seat, CLERK);
        if (holder_of(seat) != CLERK) ++wrong;
        pthread_mutex_unlock(&counter);
    }
    close_counter();
    return (void*)wrong;
}

static void* call(void* unused) {
    (void)unused;
    name_thread("caller");
    await_closing();
    for (int seat = 0; seat < SEATS; ++seat) book(seat, CALLER);
    return NULL;
}

int main(void) {
    pthread_t clerk, caller;
    void* wrong;
    check(pthread_create(&caller, NULL, call, NULL) == 0);
    check(pthread_create(&clerk, NULL, sell, NULL) == 0);
    check(pthread_join(clerk, &wrong) == 0);
    check(pthread_join(caller, NULL) == 0);
    return wrong == NULL && seats[0] == CALLER && seats[SEATS - 1] == CALLER ? CLEAN_RUN : WRONG_RESULT;
}
