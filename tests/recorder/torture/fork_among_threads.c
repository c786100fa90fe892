/* Forks while other threads lock and write; the children use threads and locks themselves. */
#include "../programs/program.h"

#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 5 };

long x, y;
atomic_int stop;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t children_own = PTHREAD_MUTEX_INITIALIZER;

static void *busy(void *unused) {
    (void)unused;
    while (!atomic_load(&stop)) {
        pthread_mutex_lock(&m);
        x++;
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

static void *in_child(void *unused) {
    (void)unused;
    pthread_mutex_lock(&children_own);
    y++;
    pthread_mutex_unlock(&children_own);
    return NULL;
}

static int child(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) check(pthread_create(&threads[i], NULL, in_child, NULL) == 0);
    for (int i = 0; i < 2; ++i) check(pthread_join(threads[i], NULL) == 0);
    return y == 2 ? 0 : 1;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; ++i) check(pthread_create(&threads[i], NULL, busy, NULL) == 0);
    for (int i = 0; i < CHILDREN; ++i) {
        int status = -1;
        const pid_t process = fork();
        check(process >= 0);
        if (process == 0) exit(child());
        check(waitpid(process, &status, 0) == process && status == 0);
    }
    atomic_store(&stop, 1);
    for (int i = 0; i < 3; ++i) check(pthread_join(threads[i], NULL) == 0);
    return 0;
}
