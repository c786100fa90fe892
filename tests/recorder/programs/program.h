/* For all programs: they print nothing and exit with 0, or abort when something did not do what they rely on.
 *
 * A comment that starts with a colon says what the line must leave in the trace, in program order for each
 * thread: "T1 w4(x) =5; T0 rel(m)". See ../expectations.h. */
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* The value is needed here, so the read that fetches it cannot be removed. */
#define use(value) __asm__ volatile("" : : "r"(value) : "memory")
#define check(condition) ((condition) ? (void)0 : abort())

/* In the past, so that waiting for it times out at once. */
#define PAST_DEADLINE ((struct timespec){.tv_sec = 1})
/* Far in the future, so that waiting for it never times out. */
#define FAR_DEADLINE ((struct timespec){.tv_sec = 0x7fffffff})
