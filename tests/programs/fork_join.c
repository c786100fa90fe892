// A false alarm of lockset analyses: the total is written with the lock, with another one, and with none; but
// never at a time when somebody else could.
//
// threads: first, second
//
// not a bug: race on 'total'
//   write `total` in main [start], holding nothing
//   write `total` in count_first [first], holding 'first_lock'
//   because the thread is created later
// not a bug: race on 'total'
//   write `total` in count_first [first], holding 'first_lock'
//   write `total` in count_second [second], holding 'second_lock'
//   because main joins the first before it creates the second
// not a bug: race on 'total'
//   write `total` in count_second [second], holding 'second_lock'
//   read `total` in main [end], holding nothing
//   because main joins the second
#include "sample.h"

#include <threads.h>

static long total;
static mtx_t first_lock, second_lock;

static int count_first(void* unused) {
    (void)unused;
    name_thread("first");
    mtx_lock(&first_lock);
    total += 1; // [first]
    mtx_unlock(&first_lock);
    return 0;
}

static int count_second(void* unused) {
    (void)unused;
    name_thread("second");
    mtx_lock(&second_lock);
    total += 1; // [second]
    mtx_unlock(&second_lock);
    return 0;
}

int main(void) {
    thrd_t first, second;
    check(mtx_init(&first_lock, mtx_plain) == thrd_success);
    check(mtx_init(&second_lock, mtx_plain) == thrd_success);
    total = 40; // [start]
    check(thrd_create(&first, count_first, NULL) == thrd_success);
    check(thrd_join(first, NULL) == thrd_success);
    check(thrd_create(&second, count_second, NULL) == thrd_success);
    check(thrd_join(second, NULL) == thrd_success);
    return total == 42 ? CLEAN_RUN : WRONG_RESULT; // [end]
}
