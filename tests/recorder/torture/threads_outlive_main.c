/* main returns while eight threads still lock, write and start others. */
#include "../programs/program.h"

#include <semaphore.h>

long x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
sem_t busy;

static void *run(void *given) {
    for (long i = 0;; ++i) {
        pthread_mutex_lock(&m);
        x++;
        pthread_mutex_unlock(&m);
        if (i == 100) sem_post(&busy);
        if (given != NULL && i == 200) {
            pthread_t another;
            if (pthread_create(&another, NULL, run, NULL) == 0) pthread_detach(another);
        }
    }
    return NULL;
}

int main(void) {
    sem_init(&busy, 0, 0);
    for (int i = 0; i < 8; ++i) {
        pthread_t thread;
        check(pthread_create(&thread, NULL, run, &x) == 0);
        pthread_detach(thread);
    }
    for (int i = 0; i < 8; ++i) check(sem_wait(&busy) == 0);
    return 0;
}
