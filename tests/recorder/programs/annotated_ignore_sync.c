/* Synchronisation that a program says to leave out is left out; its accesses are not. */
#include "program.h"

void AnnotateIgnoreSyncBegin(const char *file, int line);
void AnnotateIgnoreSyncEnd(const char *file, int line);

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    (void)unused;
    AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
    pthread_mutex_lock(&m);
    x = 1; //: T1 w4(x) =1
    pthread_mutex_unlock(&m);
    AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
    pthread_mutex_lock(&m);   //: T1 acq(m)
    x = 2;                    //: T1 w4(x) =2
    pthread_mutex_unlock(&m); //: T1 rel(m)
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    use(x);                                               //: T0 r4(x) =2
    return 0;
}
