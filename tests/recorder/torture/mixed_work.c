/* Random work that depends on nothing but the seed: what each thread does is the same in every run. Locks, arrays that
 * are shared and arrays that are not, the heap, and a condition that hands over in a fixed order. */
#include "../programs/program.h"

enum { THREADS = 4, STEPS = 400, CELLS = 32 };

long shared[CELLS];
long private_cells[THREADS][CELLS];
pthread_mutex_t locks[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                            PTHREAD_MUTEX_INITIALIZER};
pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t all;
static unsigned seed;

static unsigned next(unsigned *state) {
    *state = *state * 1664525U + 1013904223U;
    return *state >> 12;
}

__attribute__((noinline)) static void locked_work(unsigned *state, int thread) {
    const unsigned lock = next(state) % 4, cell = next(state) % CELLS;
    pthread_mutex_lock(&locks[lock]);
    for (unsigned i = 0; i < 3; ++i) {
        shared[cell] += thread;
        use(shared[(cell + i) % CELLS]);
    }
    pthread_mutex_unlock(&locks[lock]);
}

__attribute__((noinline)) static void private_work(unsigned *state, int thread) {
    const unsigned cell = next(state) % CELLS;
    for (unsigned i = 0; i < 5; ++i) private_cells[thread][cell] += i;
    long *block = malloc(sizeof *block * 4);
    block[1] = cell;
    use(block[1]);
    free(block);
}

__attribute__((noinline)) static void reading_work(unsigned *state) {
    const unsigned cell = next(state) % CELLS;
    pthread_rwlock_rdlock(&table);
    for (unsigned i = 0; i < 4; ++i) use(shared[cell]);
    pthread_rwlock_unlock(&table);
}

static void *run(void *given) {
    const int thread = (int)(intptr_t)given;
    unsigned state = seed * 31 + (unsigned)thread;
    for (int i = 0; i < STEPS; ++i) {
        switch (next(&state) % 8) {
        case 0: case 1: case 2: locked_work(&state, thread); break;
        case 3: case 4: private_work(&state, thread); break;
        case 5: case 6: reading_work(&state); break;
        default: use(shared[next(&state) % CELLS]);
        }
        if (i == STEPS / 2) pthread_barrier_wait(&all);
    }
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[THREADS];
    check(count == 2);
    seed = (unsigned)atoi(words[1]);
    pthread_barrier_init(&all, NULL, THREADS);
    for (int i = 0; i < CELLS; ++i) shared[i] = i;
    for (intptr_t i = 0; i < THREADS; ++i) check(pthread_create(&threads[i], NULL, run, (void *)i) == 0);
    for (int i = 0; i < THREADS; ++i) check(pthread_join(threads[i], NULL) == 0);
    for (int i = 0; i < CELLS; ++i) use(shared[i]);
    return 0;
}
