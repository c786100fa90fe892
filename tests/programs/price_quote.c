// A price is quoted and then billed. Each access takes the list's lock; quote and bill are meant to be one,
// under the lock of the order. Who changes prices knows nothing of orders.
//
// threads: seller, manager
//
// bug: atomicity RWR on 'list.price'
//   read `list.price` in quote [quote], holding 'order', 'list.mutex'
//   write `list.price` in change [change], holding 'list.mutex'
//   read `list.price` in bill [bill], holding 'order', 'list.mutex'
//   because the change takes list.mutex, but not the order
// not a bug: race on 'list.price'
//   read `list.price` in quote [quote], holding 'order', 'list.mutex'
//   write `list.price` in change [change], holding 'list.mutex'
//   because both hold list.mutex
#include "sample.h"

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static struct {
    pthread_mutex_t mutex;
    long price;
} list = {PTHREAD_MUTEX_INITIALIZER, 10};

static NOINLINE long quote(void) {
    pthread_mutex_lock(&list.mutex);
    const long price = list.price; // [quote]
    pthread_mutex_unlock(&list.mutex);
    return price;
}

static NOINLINE long bill(void) {
    pthread_mutex_lock(&list.mutex);
    const long price = list.price; // [bill]
    pthread_mutex_unlock(&list.mutex);
    return price;
}

static NOINLINE void change(long price) {
    pthread_mutex_lock(&list.mutex);
    list.price = price; // [change]
    pthread_mutex_unlock(&list.mutex);
}

// What the customer has to pay; 0 if it is not what was quoted.
static void* sell(void* unused) {
    (void)unused;
    name_thread("seller");
    pthread_mutex_lock(&order);
    const long quoted = quote();
    const long billed = bill();
    pthread_mutex_unlock(&order);
    return (void*)(billed == quoted ? billed : 0);
}

static void* manage(void* unused) {
    (void)unused;
    name_thread("manager");
    work();
    change(12);
    return NULL;
}

int main(void) {
    pthread_t seller, manager;
    void* paid;
    check(pthread_create(&seller, NULL, sell, NULL) == 0);
    check(pthread_create(&manager, NULL, manage, NULL) == 0);
    check(pthread_join(seller, &paid) == 0);
    check(pthread_join(manager, NULL) == 0);
    if (paid == NULL) return WRONG_RESULT;
    return paid == (void*)10 ? CLEAN_RUN : RARE_ORDER;
}
