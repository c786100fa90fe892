// Token ring: who has the token may count the hop, then wakes the next in the ring. No locks, only
// semaphores.
//
// threads: station
//
// not a bug: race on 'token.hops'
//   write `token.hops` in pass_on [hop], holding nothing
//   write `token.hops` in pass_on [hop], holding nothing
//   because every station waits until the one before has posted
#include "sample.h"

#include <semaphore.h>

enum { STATIONS = 3, ROUNDS = 2 };

static sem_t turns[STATIONS];
static struct { int hops; } token;

static NOINLINE void pass_on(long station) {
    sem_wait(&turns[station]);
    token.hops += 1; // [hop]
    sem_post(&turns[(station + 1) % STATIONS]);
}

static void* station(void* number) {
    name_thread("station");
    for (int round = 0; round < ROUNDS; ++round) pass_on((long)number);
    return NULL;
}

int main(void) {
    pthread_t threads[STATIONS];
    for (int i = 0; i < STATIONS; ++i) check(sem_init(&turns[i], 0, i == 0 ? 1 : 0) == 0);
    for (long i = 0; i < STATIONS; ++i) check(pthread_create(&threads[i], NULL, station, (void*)i) == 0);
    for (long i = 0; i < STATIONS; ++i) check(pthread_join(threads[i], NULL) == 0);
    return token.hops == STATIONS * ROUNDS ? CLEAN_RUN : WRONG_RESULT;
}
