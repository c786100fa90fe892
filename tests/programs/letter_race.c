// A letter and a flag: the sender writes the letter, then raises the flag under a lock. The receiver looks at
// the flag under a lock, and reads the letter once it is up. It is not the same lock.
//
// threads: sender, receiver
//
// bug: race on 'flag'
//   write `flag` in raise_flag [raise], holding 'outbox'
//   read `flag` in is_raised [look], holding 'inbox'
//   because sender and receiver lock different things
// no witness: race on 'letter'
//   write `letter` in write_letter [write], holding nothing
//   read `letter` in read_letter [read], holding nothing
//   because the receiver saw the flag, which was raised after the letter was written
#include "sample.h"

static pthread_mutex_t outbox = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t inbox = PTHREAD_MUTEX_INITIALIZER;
static int flag;
static long letter;

static NOINLINE void write_letter(void) {
    letter = 42; // [write]
}

static NOINLINE void raise_flag(void) {
    pthread_mutex_lock(&outbox);
    flag = 1; // [raise]
    pthread_mutex_unlock(&outbox);
}

static NOINLINE int is_raised(void) {
    pthread_mutex_lock(&inbox);
    const int raised = flag; // [look]
    pthread_mutex_unlock(&inbox);
    return raised;
}

static NOINLINE long read_letter(void) {
    return letter; // [read]
}

static void* send(void* unused) {
    (void)unused;
    name_thread("sender");
    write_letter();
    raise_flag();
    return NULL;
}

static void* receive(void* unused) {
    (void)unused;
    name_thread("receiver");
    work();
    return (void*)(is_raised() ? read_letter() : -1);
}

int main(void) {
    pthread_t sender, receiver;
    void* received;
    check(pthread_create(&sender, NULL, send, NULL) == 0);
    check(pthread_create(&receiver, NULL, receive, NULL) == 0);
    check(pthread_join(sender, NULL) == 0);
    check(pthread_join(receiver, &received) == 0);
    if (received == (void*)-1) return RARE_ORDER;
    return received == (void*)42 ? CLEAN_RUN : WRONG_RESULT;
}
