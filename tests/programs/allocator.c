// Resource allocator: who needs units waits until there are enough, and gives them back when done. All that
// is counted under a lock; the note of who came last is not.
//
// threads: printer, plotter
//
// bug: race on 'last_user'
//   write `last_user` in note [note], holding nothing
//   write `last_user` in note [note], holding nothing
//   because the note is made outside the lock
// not a bug: race on 'store.units'
//   write `store.units` in take [take], holding 'store.mutex'
//   write `store.units` in give_back [give-back], holding 'store.mutex'
//   because both hold store.mutex
#include "sample.h"

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t more;
    int units;
} store = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 4};

static const char* last_user;

static NOINLINE void take(int units) {
    pthread_mutex_lock(&store.mutex);
    while (store.units < units) pthread_cond_wait(&store.more, &store.mutex);
    const int left = store.units - units;
    store.units = left; // [take]
    pthread_mutex_unlock(&store.mutex);
}

static NOINLINE void give_back(int units) {
    pthread_mutex_lock(&store.mutex);
    const int now = store.units + units;
    store.units = now; // [give-back]
    pthread_cond_broadcast(&store.more);
    pthread_mutex_unlock(&store.mutex);
}

static NOINLINE void note(const char* user) {
    last_user = user; // [note]
}

static void* print(void* unused) {
    (void)unused;
    name_thread("printer");
    take(2);
    give_back(2);
    note("printer");
    return NULL;
}

static void* plot(void* unused) {
    (void)unused;
    name_thread("plotter");
    work();
    take(3);
    give_back(3);
    note("plotter");
    return NULL;
}

int main(void) {
    pthread_t printer, plotter;
    check(pthread_create(&printer, NULL, print, NULL) == 0);
    check(pthread_create(&plotter, NULL, plot, NULL) == 0);
    check(pthread_join(printer, NULL) == 0);
    check(pthread_join(plotter, NULL) == 0);
    if (store.units != 4) return WRONG_RESULT;
    return last_user != NULL && last_user[1] == 'l' ? CLEAN_RUN : RARE_ORDER;
}
