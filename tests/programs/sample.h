// What the samples share. They print nothing; their exit status says how the run went. README.md explains the
// comments at the top of each and the marks on their lines.
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <stdlib.h>

enum {
    CLEAN_RUN = 0,
    WRONG_RESULT = 1, // the bug struck in this very run
    RARE_ORDER =
        75 // nothing went wrong, but the threads took another order than they nearly always do: run it again
};

// Keeps a function as it is written, at every level of optimisation.
#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noipa))
#endif
// Puts a function into its callers, at every level of optimisation.
#define INLINE __attribute__((always_inline)) inline

static inline void check(int succeeded) {
    if (!succeeded) abort();
}

static inline void name_thread(const char* name) {
    check(pthread_setname_np(pthread_self(), name) == 0);
}

// A few milliseconds of computing that touches no shared memory. It orders nothing: it only makes likely that
// a thread that starts with it comes after one that does not. It is longer than the time a busy machine lets
// one thread run.
static inline void work(void) {
    for (unsigned i = 0, sum = 1; i < 4000000; ++i) {
        sum = sum * 1664525u + 1013904223u;
        __asm__ volatile("" : "+r"(sum)); // or the compiler sees that nobody wants the sum
    }
}
