/* Tokens go round by conditions, in every way in which one can wait: for ever, with deadlines that pass all the
 * time, by signal and by broadcast, and with threads that are cancelled meanwhile. No wake-up may be lost. */
#include "../programs/program.h"

#include <errno.h>

enum { THREADS = 6, ROUNDS = 1500, IDLERS = 40, CANCELLED = 60 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_cond_t over = PTHREAD_COND_INITIALIZER;
static pthread_cond_t token = PTHREAD_COND_INITIALIZER;
static int turn, tokens, taken, finished;

/* Waits for its turn; whoever has had it tells all, as nobody knows who is next. */
static void *take_turns(void *number) {
    const int own = (int)(intptr_t)number;
    for (int i = 0; i < ROUNDS; ++i) {
        pthread_mutex_lock(&m);
        while (turn % THREADS != own) {
            if (i % 3 != 0) {
                pthread_cond_wait(&changed, &m);
                continue;
            }
            struct timespec soon;
            clock_gettime(CLOCK_REALTIME, &soon);
            soon.tv_nsec += 20000;
            if (soon.tv_nsec >= 1000000000) soon.tv_nsec -= 1000000000, soon.tv_sec++;
            const int result = pthread_cond_timedwait(&changed, &m, &soon);
            check(result == 0 || result == ETIMEDOUT);
        }
        ++turn;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

/* More of them than are woken at a time, all at once. */
static void *idle(void *unused) {
    pthread_mutex_lock(&m);
    while (!finished) pthread_cond_wait(&over, &m);
    pthread_mutex_unlock(&m);
    return unused;
}

static void give_back(void *unused) {
    (void)unused;
    pthread_mutex_unlock(&m);
}
static void *take_token(void *unused) {
    pthread_mutex_lock(&m);
    pthread_cleanup_push(give_back, NULL);
    while (tokens == 0) pthread_cond_wait(&token, &m);
    --tokens;
    ++taken;
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t threads[THREADS], idlers[IDLERS], takers[CANCELLED];
    for (int i = 0; i < IDLERS; ++i) check(pthread_create(&idlers[i], NULL, idle, NULL) == 0);
    for (intptr_t i = 0; i < THREADS; ++i)
        check(pthread_create(&threads[i], NULL, take_turns, (void *)i) == 0);
    for (int i = 0; i < CANCELLED; ++i) check(pthread_create(&takers[i], NULL, take_token, NULL) == 0);
    /* One of each two is cancelled while tokens for the others come: each token has to find somebody. */
    for (int i = 0; i < CANCELLED; ++i) {
        if (i % 2 == 0) {
            pthread_mutex_lock(&m);
            ++tokens;
            pthread_cond_signal(&token);
            pthread_mutex_unlock(&m);
        } else {
            check(pthread_cancel(takers[i]) == 0);
        }
    }
    int cancelled = 0;
    for (int i = 1; i < CANCELLED; i += 2) {
        void *result;
        check(pthread_join(takers[i], &result) == 0);
        cancelled += result == PTHREAD_CANCELED;
    }
    /* Those who took a token before they were cancelled left one waiting. */
    for (int i = 0; i < CANCELLED / 2 - cancelled; ++i) {
        pthread_mutex_lock(&m);
        ++tokens;
        pthread_cond_signal(&token);
        pthread_mutex_unlock(&m);
    }
    for (int i = 0; i < CANCELLED; i += 2) check(pthread_join(takers[i], NULL) == 0);
    for (int i = 0; i < THREADS; ++i) check(pthread_join(threads[i], NULL) == 0);
    pthread_mutex_lock(&m);
    finished = 1;
    pthread_cond_broadcast(&over);
    pthread_mutex_unlock(&m);
    for (int i = 0; i < IDLERS; ++i) check(pthread_join(idlers[i], NULL) == 0);
    check(turn == THREADS * ROUNDS && taken + tokens == CANCELLED - cancelled);
    return 0;
}
