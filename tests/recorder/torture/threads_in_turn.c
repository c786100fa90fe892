/* 2,000 threads, one after the other. */
#include "../programs/program.h"

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    for (int i = 0; i < 2000; ++i) {
        pthread_t thread;
        check(pthread_create(&thread, NULL, run, NULL) == 0);
        check(pthread_join(thread, NULL) == 0);
    }
    check(x == 2000);
    return 0;
}
