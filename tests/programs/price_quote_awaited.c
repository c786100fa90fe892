// A price is quoted and then billed, as in price_quote.c; but prices change only after the shop has closed,
// and who wants to change one earlier waits.
//
// threads: seller, manager
//
// no witness: atomicity RWR on 'list.price'
//   read `list.price` in quote [quote], holding 'order', 'list.mutex'
//   write `list.price` in change [change], holding 'list.mutex'
//   read `list.price` in bill [bill], holding 'order', 'list.mutex'
//   because the manager does not go on before having seen that the shop is closed
// not a bug: race on 'list.price'
//   read `list.price` in quote [quote], holding 'order', 'list.mutex'
//   write `list.price` in change [change], holding 'list.mutex'
//   because both hold list.mutex
#include "sample.h"

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static struct {
    pthread_mutex_t mutex;
    pthread_cond_t closed;
    long is_closed, price;
} list = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 10};

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

static NOINLINE void close_shop(void) {
    pthread_mutex_lock(&list.mutex);
    list.is_closed = 1;
    pthread_cond_signal(&list.closed);
    pthread_mutex_unlock(&list.mutex);
}

static NOINLINE void await_closing(void) {
    pthread_mutex_lock(&list.mutex);
    while (!list.is_closed) pthread_cond_wait(&list.closed, &list.mutex);
    pthread_mutex_unlock(&list.mutex);
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
    close_shop();
    return (void*)(billed == quoted ? billed : 0);
}

static void* manage(void* unused) {
    (void)unused;
    name_thread("manager");
    await_closing();
    change(12);
    return NULL;
}

int main(void) {
    pthread_t seller, manager;
    void* paid;
    check(pthread_create(&manager, NULL, manage, NULL) == 0);
    check(pthread_create(&seller, NULL, sell, NULL) == 0);
    check(pthread_join(seller, &paid) == 0);
    check(pthread_join(manager, NULL) == 0);
    return paid == (void*)10 && list.price == 12 ? CLEAN_RUN : WRONG_RESULT;
}
