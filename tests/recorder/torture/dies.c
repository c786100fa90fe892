/* Ends in the way its argument names, after 50,000 rounds of locking in two threads, with both of them still at it.
 * Main waits for them; or for something that the trace does not tell of, and a thread ends the process. */
#include "../programs/program.h"

#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

long x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
sem_t halfway;
int main_polls;
int halfway_there; /* threads, counted under m */

static void *run(void *unused) {
    (void)unused;
    for (long i = 0;; ++i) {
        pthread_mutex_lock(&m);
        x++;
        const int last = i == 50000 && ++halfway_there == 2;
        pthread_mutex_unlock(&m);
        if (last && main_polls) kill(getpid(), SIGKILL);
        if (i == 50000) sem_post(&halfway);
    }
    return NULL;
}

int main(int count, char **words) {
    pthread_t thread;
    check(count == 2);
    sem_init(&halfway, 0, 0);
    main_polls = strcmp(words[1], "kill_in_poll") == 0;
    for (int i = 0; i < 2; ++i) check(pthread_create(&thread, NULL, run, NULL) == 0);
    if (main_polls) poll(NULL, 0, -1);
    for (int i = 0; i < 2; ++i) check(sem_wait(&halfway) == 0);
    if (strcmp(words[1], "kill") == 0) kill(getpid(), SIGKILL);
    if (strcmp(words[1], "abort") == 0) abort();
    if (strcmp(words[1], "segfault") == 0) *(volatile int *)8 = 1;
    if (strcmp(words[1], "terminate") == 0) kill(getpid(), SIGTERM);
    if (strcmp(words[1], "exit") == 0) _exit(7);
    pause();
    return 0;
}
