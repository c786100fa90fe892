// A letter and a flag: sender and receiver lock the box for the flag, and within it the desk for the letter.
// main clears the desk before they run, and tidies up when they have ended.
//
// threads: sender, receiver
//
// not a bug: race on 'flag'
//   write `flag` in send_letter [raise], holding 'box'
//   read `flag` in receive_letter [look], holding 'box'
//   because both hold the box
// not a bug: race on 'letter'
//   write `letter` in send_letter [write], holding 'box', 'desk'
//   read `letter` in receive_letter [read], holding 'box', 'desk'
//   because both hold the desk
// not a bug: race on 'letter'
//   write `letter` in main [clear], holding nothing
//   write `letter` in send_letter [write], holding 'box', 'desk'
//   because the sender is created later
// not a bug: race on 'letter'
//   write `letter` in send_letter [write], holding 'box', 'desk'
//   read `letter` in main [tidy], holding nothing
//   because main joins the sender first
#include "sample.h"

static pthread_mutex_t box = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t desk = PTHREAD_MUTEX_INITIALIZER;
static int flag;
static long letter;

static NOINLINE void send_letter(void) {
    pthread_mutex_lock(&box);
    pthread_mutex_lock(&desk);
    letter = 42; // [write]
    pthread_mutex_unlock(&desk);
    flag = 1; // [raise]
    pthread_mutex_unlock(&box);
}

// Or nothing, if there is none yet.
static NOINLINE long receive_letter(void) {
    long received = 0;
    pthread_mutex_lock(&box);
    if (flag) { // [look]
        pthread_mutex_lock(&desk);
        received = letter; // [read]
        pthread_mutex_unlock(&desk);
    }
    pthread_mutex_unlock(&box);
    return received;
}

static void* send(void* unused) {
    (void)unused;
    name_thread("sender");
    send_letter();
    return NULL;
}

static void* receive(void* unused) {
    (void)unused;
    name_thread("receiver");
    work();
    return (void*)receive_letter();
}

int main(void) {
    pthread_t sender, receiver;
    void* received;
    letter = 1; // [clear]
    check(pthread_create(&sender, NULL, send, NULL) == 0);
    check(pthread_create(&receiver, NULL, receive, NULL) == 0);
    check(pthread_join(sender, NULL) == 0);
    check(pthread_join(receiver, &received) == 0);
    if (letter != 42) return WRONG_RESULT; // [tidy]
    return received == (void*)42 ? CLEAN_RUN : RARE_ORDER;
}
