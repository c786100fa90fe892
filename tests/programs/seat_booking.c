// Seats of a hall: the clerk at the counter books seat after seat and prints who has it. Each access takes
// the hall's lock; booking and printing are meant to be one, under the counter's. Who books from afar knows
// nothing of the counter.
//
// threads: clerk, caller
//
// bug: atomicity WWR on 'seats[*]'
//   write `seats[seat]` in book [book], holding 'counter', 'hall'
//   write `seats[seat]` in book [book], holding 'hall'
//   read `seats[seat]` in holder_of [print], holding 'counter', 'hall'
//   because the caller's booking takes the hall, but not the counter
// not a bug: race on 'seats[*]'
//   write `seats[seat]` in book [book], holding 'hall'
//   read `seats[seat]` in holder_of [print], holding 'counter', 'hall'
//   because both hold the hall
#include "sample.h"

enum { SEATS = 4, CLERK = 1, CALLER = 2 };

static pthread_mutex_t counter = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t hall = PTHREAD_MUTEX_INITIALIZER;
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
    return (void*)wrong;
}

static void* call(void* unused) {
    (void)unused;
    name_thread("caller");
    work();
    for (int seat = 0; seat < SEATS; ++seat) book(seat, CALLER);
    return NULL;
}

int main(void) {
    pthread_t clerk, caller;
    void* wrong;
    check(pthread_create(&clerk, NULL, sell, NULL) == 0);
    check(pthread_create(&caller, NULL, call, NULL) == 0);
    check(pthread_join(clerk, &wrong) == 0);
    check(pthread_join(caller, NULL) == 0);
    if (wrong != NULL) return WRONG_RESULT;
    return seats[0] == CALLER && seats[SEATS - 1] == CALLER ? CLEAN_RUN : RARE_ORDER;
}
