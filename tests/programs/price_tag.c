// A price is looked at twice, each time under its lock. Nothing but a comment says that the two belong
// together: what a customer is shown and what the till takes.
//
// threads: till, manager
//
// bug: atomicity RWR on 'tag.price'
//   read `tag.price` in sell [show], holding 'tag.mutex'
//   write `tag.price` in change [change], holding 'tag.mutex'
//   read `tag.price` in sell [take], holding 'tag.mutex'
//   because selling is marked as atomic, and gives tag.mutex back in between
// not a bug: race on 'tag.price'
//   read `tag.price` in sell [show], holding 'tag.mutex'
//   write `tag.price` in change [change], holding 'tag.mutex'
//   because both hold tag.mutex
#include "sample.h"

static struct {
    pthread_mutex_t mutex;
    long price;
} tag = {PTHREAD_MUTEX_INITIALIZER, 10};

// The price, or 0 if the customer was shown another one.
// heddle: atomic
static NOINLINE long sell(void) {
    pthread_mutex_lock(&tag.mutex);
    const long shown = tag.price; // [show]
    pthread_mutex_unlock(&tag.mutex);
    pthread_mutex_lock(&tag.mutex);
    const long taken = tag.price; // [take]
    pthread_mutex_unlock(&tag.mutex);
    return taken == shown ? taken : 0;
}

static NOINLINE void change(long price) {
    pthread_mutex_lock(&tag.mutex);
    tag.price = price; // [change]
    pthread_mutex_unlock(&tag.mutex);
}

static void* run_till(void* unused) {
    (void)unused;
    name_thread("till");
    return (void*)sell();
}

static void* manage(void* unused) {
    (void)unused;
    name_thread("manager");
    work();
    change(12);
    return NULL;
}

int main(void) {
    pthread_t till, manager;
    void* paid;
    check(pthread_create(&till, NULL, run_till, NULL) == 0);
    check(pthread_create(&manager, NULL, manage, NULL) == 0);
    check(pthread_join(till, &paid) == 0);
    check(pthread_join(manager, NULL) == 0);
    if (paid == NULL) return WRONG_RESULT;
    return paid == (void*)10 ? CLEAN_RUN : RARE_ORDER;
}
