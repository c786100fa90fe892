// A door that is either open, taken or locked. Its state is atomic, so no access races; but whoever wants to
// take it looks first and then writes, and the keeper may lock it in between: then the lock is lost.
//
// threads: visitor, keeper
//
// bug: atomicity RWW on 'door'
//   read `door` in enter [look], holding nothing
//   write `door` in lock_up [lock], holding nothing
//   write `door` in enter [take], holding nothing
//   because the visitor acts on what the door was, which a compare-and-exchange would not
// not a bug: race on 'door'
//   read `door` in enter [look], holding nothing
//   write `door` in lock_up [lock], holding nothing
//   because the door's state is atomic
#include "sample.h"

#include <stdatomic.h>

enum { OPEN = 1, TAKEN, LOCKED };
static atomic_int door = OPEN;

static NOINLINE int enter(void) {
    if (door != OPEN) return 0; // [look]
    door = TAKEN;               // [take]
    return 1;
}

static NOINLINE void lock_up(void) {
    door = LOCKED; // [lock]
}

static void* visit(void* entered) {
    name_thread("visitor");
    *(int*)entered = enter();
    return NULL;
}

static void* keep(void* unused) {
    (void)unused;
    name_thread("keeper");
    work();
    lock_up();
    return NULL;
}

int main(void) {
    pthread_t visitor, keeper;
    int entered = 0;
    check(pthread_create(&visitor, NULL, visit, &entered) == 0);
    check(pthread_create(&keeper, NULL, keep, NULL) == 0);
    check(pthread_join(visitor, NULL) == 0);
    check(pthread_join(keeper, NULL) == 0);
    if (door != LOCKED) return WRONG_RESULT;
    return entered ? CLEAN_RUN : RARE_ORDER;
}
