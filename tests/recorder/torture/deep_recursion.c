/* 40,000 calls deep in two threads at once, down and up again, with shared accesses on the way. */
#include "../programs/program.h"

long x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static int descend(int left) {
    if (left % 10000 == 0) {
        pthread_mutex_lock(&m);
        x++;
        pthread_mutex_unlock(&m);
    }
    if (left == 0) return 0;
    const int below = descend(left - 1);
    use(below);
    return below + 1;
}

static void *run(void *unused) {
    (void)unused;
    check(descend(40000) == 40000);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)64 << 20);
    for (int i = 0; i < 2; ++i) check(pthread_create(&threads[i], &attributes, run, NULL) == 0);
    for (int i = 0; i < 2; ++i) check(pthread_join(threads[i], NULL) == 0);
    check(x == 10);
    return 0;
}
