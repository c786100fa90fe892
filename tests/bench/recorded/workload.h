/* Work that the recorder is measured with. Each program takes how much of it to do, and checks what it computed. */
#pragma once

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define check(condition) ((condition) ? (void)0 : abort())

static inline uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static inline long amount_of_work(int count, char **words) {
    check(count == 2);
    return atol(words[1]);
}
