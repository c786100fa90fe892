// Phases with a barrier: every cell becomes the sum of its neighbours, all at once. One barrier after
// reading, one after writing.
//
// threads: cell
//
// not a bug: race on 'cells[*]'
//   read `cells[left]` in sum_of_neighbours [look], holding nothing
//   write `cells[own]` in settle [settle], holding nothing
//   because a barrier lies between reading and writing, and one between writing and the next reading
#include "sample.h"

enum { CELLS = 3, ROUNDS = 2 };

static long cells[CELLS] = {1, 2, 3};
static pthread_barrier_t all_read, all_written;

static NOINLINE long sum_of_neighbours(long own) {
    const long left = (own + CELLS - 1) % CELLS, right = (own + 1) % CELLS;
    return cells[left] + cells[right]; // [look]
}

static NOINLINE void settle(long own, long value) {
    cells[own] = value; // [settle]
}

static void* cell(void* own) {
    name_thread("cell");
    for (int round = 0; round < ROUNDS; ++round) {
        const long value = sum_of_neighbours((long)own);
        pthread_barrier_wait(&all_read);
        settle((long)own, value);
        pthread_barrier_wait(&all_written);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[CELLS];
    check(pthread_barrier_init(&all_read, NULL, CELLS) == 0);
    check(pthread_barrier_init(&all_written, NULL, CELLS) == 0);
    for (long i = 0; i < CELLS; ++i) check(pthread_create(&threads[i], NULL, cell, (void*)i) == 0);
    for (long i = 0; i < CELLS; ++i) check(pthread_join(threads[i], NULL) == 0);
    return cells[0] == 7 && cells[1] == 8 && cells[2] == 9 ? CLEAN_RUN : WRONG_RESULT;
}
