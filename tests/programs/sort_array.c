// Parallel sort: two threads sort a half each, and main merges them. It waits for one of them only.
//
// threads: sorter
//
// bug: race on 'numbers[*]'
//   write `numbers[at]` in place [place], holding nothing
//   read `numbers[at]` in number_at [merge], holding nothing
//   because main does not wait for the second sorter before it merges
#include "sample.h"

enum { HALF = 4 };

static long numbers[2 * HALF] = {5, 2, 7, 1, 8, 3, 6, 4};

static NOINLINE void place(int at, long number) {
    numbers[at] = number; // [place]
}

static NOINLINE long number_at(int at) {
    return numbers[at]; // [merge]
}

static void* sort(void* first) {
    const int begin = (int)(long)first;
    long sorted[HALF];
    name_thread("sorter");
    for (int i = 0; i < HALF; ++i) {
        const long number = number_at(begin + i);
        int at = i;
        for (; at > 0 && sorted[at - 1] > number; --at) sorted[at] = sorted[at - 1];
        sorted[at] = number;
    }
    for (int i = 0; i < HALF; ++i) place(begin + i, sorted[i]);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    long merged[2 * HALF];
    check(pthread_create(&second, NULL, sort, (void*)HALF) == 0);
    check(pthread_create(&first, NULL, sort, (void*)0) == 0);
    check(pthread_join(first, NULL) == 0);
    work();
    for (int i = 0, left = 0, right = HALF; i < 2 * HALF; ++i) {
        const int take_left = right == 2 * HALF || (left < HALF && number_at(left) < number_at(right));
        merged[i] = number_at(take_left ? left++ : right++);
    }
    check(pthread_join(second, NULL) == 0);
    for (int i = 0; i < 2 * HALF; ++i) {
        if (merged[i] != i + 1) return WRONG_RESULT;
    }
    return CLEAN_RUN;
}
