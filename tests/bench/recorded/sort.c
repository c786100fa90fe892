/* Four threads sort a quarter of an array each, in memory of their own, and main merges: mostly private memory. */
#include "workload.h"

#include <string.h>

enum { THREADS = 4 };

static uint32_t *numbers;
static long size;

static void merge(uint32_t *to, const uint32_t *a, const uint32_t *a_end, const uint32_t *b, const uint32_t *b_end) {
    while (a != a_end || b != b_end) *to++ = b == b_end || (a != a_end && *a <= *b) ? *a++ : *b++;
}

static void sort(uint32_t *begin, long count, uint32_t *room) {
    if (count < 2) return;
    const long half = count / 2;
    sort(begin, half, room);
    sort(begin + half, count - half, room);
    memcpy(room, begin, (size_t)count * sizeof *begin);
    merge(begin, room, room + half, room + half, room + count);
}

static void *run(void *given) {
    const long part = (long)(intptr_t)given, count = size / THREADS;
    uint32_t *own = malloc((size_t)count * sizeof *own), *room = malloc((size_t)count * sizeof *room);
    memcpy(own, numbers + part * count, (size_t)count * sizeof *own);
    sort(own, count, room);
    memcpy(numbers + part * count, own, (size_t)count * sizeof *own);
    free(own);
    free(room);
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[THREADS];
    uint64_t state = 88172645463325252u;
    size = amount_of_work(count, words) / THREADS * THREADS;
    numbers = malloc((size_t)size * sizeof *numbers);
    for (long i = 0; i < size; ++i) numbers[i] = (uint32_t)next_random(&state);
    for (intptr_t i = 0; i < THREADS; ++i) check(pthread_create(&threads[i], NULL, run, (void *)i) == 0);
    for (int i = 0; i < THREADS; ++i) check(pthread_join(threads[i], NULL) == 0);
    uint32_t *halves = malloc((size_t)size * sizeof *halves), *sorted = malloc((size_t)size * sizeof *sorted);
    const long quarter = size / 4;
    merge(halves, numbers, numbers + quarter, numbers + quarter, numbers + 2 * quarter);
    merge(halves + 2 * quarter, numbers + 2 * quarter, numbers + 3 * quarter, numbers + 3 * quarter, numbers + size);
    merge(sorted, halves, halves + 2 * quarter, halves + 2 * quarter, halves + size);
    for (long i = 1; i < size; ++i) check(sorted[i - 1] <= sorted[i]);
    return 0;
}
