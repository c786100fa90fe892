// Relay: each of six runners waits, with a lock and a condition of its own, until the one before hands over;
// then the runner changes the baton, which no lock protects, and hands over to the next. Whoever comes late
// finds the hand-over made: nobody waits for a signal that was sent before.
//
// threads: runner
//
// no witness: race on 'baton'
//   write `baton` in run [change], holding nothing
//   write `baton` in run [change], holding nothing
//   because nobody changes the baton before the lane's flag says that it was handed over
// not a bug: race on 'lanes[*].has_baton'
//   write `has_baton` in hand_over [hand-over], holding 'lanes[*].mutex'
//   read `has_baton` in await [await], holding 'lanes[*].mutex'
//   because both hold the lane's mutex
#include "sample.h"

enum { RUNNERS = 6 };

static struct lane {
    pthread_mutex_t mutex;
    pthread_cond_t handed_over;
    int has_baton;
} lanes[RUNNERS];

static long baton;

static NOINLINE void await(struct lane* lane) {
    pthread_mutex_lock(&lane->mutex);
    while (!lane->has_baton) // [await]
        pthread_cond_wait(&lane->handed_over, &lane->mutex);
    pthread_mutex_unlock(&lane->mutex);
}

static NOINLINE void hand_over(struct lane* lane) {
    pthread_mutex_lock(&lane->mutex);
    lane->has_baton = 1; // [hand-over]
    pthread_cond_signal(&lane->handed_over);
    pthread_mutex_unlock(&lane->mutex);
}

static NOINLINE void run(void) {
    baton += 1; // [change]
}

static void* runner(void* number) {
    const long own = (long)number;
    name_thread("runner");
    await(&lanes[own]);
    run();
    if (own + 1 < RUNNERS) hand_over(&lanes[own + 1]);
    return NULL;
}

int main(void) {
    pthread_t threads[RUNNERS];
    for (int i = 0; i < RUNNERS; ++i) {
        check(pthread_mutex_init(&lanes[i].mutex, NULL) == 0);
        check(pthread_cond_init(&lanes[i].handed_over, NULL) == 0);
    }
    for (long i = 0; i < RUNNERS; ++i) check(pthread_create(&threads[i], NULL, runner, (void*)i) == 0);
    hand_over(&lanes[0]);
    for (int i = 0; i < RUNNERS; ++i) check(pthread_join(threads[i], NULL) == 0);
    return baton == RUNNERS ? CLEAN_RUN : WRONG_RESULT;
}
