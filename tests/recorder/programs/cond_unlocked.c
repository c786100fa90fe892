/* Who waits without holding the mutex is told so, and a time that is none is refused, as without a recorder. */
#include "program.h"

#include <errno.h>

pthread_mutex_t m;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void) {
    const struct timespec no_time = {.tv_nsec = -1};
    pthread_mutexattr_t checked;
    check(pthread_mutexattr_init(&checked) == 0);
    check(pthread_mutexattr_settype(&checked, PTHREAD_MUTEX_ERRORCHECK) == 0);
    check(pthread_mutex_init(&m, &checked) == 0);
    check(pthread_cond_wait(&c, &m) == EPERM); //: T0 wait_pre(c); T0 wait_post(c) spurious
    pthread_mutex_lock(&m);                    //: T0 acq(m)
    check(pthread_cond_timedwait(&c, &m, &no_time) == EINVAL); //: T0 wait_pre(c); T0 rel(m); T0 acq(m); T0 wait_post(c) spurious
    pthread_mutex_unlock(&m); //: T0 rel(m)
    return 0;
}
