/* The older annotations of locks. */
#include "program.h"

void AnnotateRWLockCreate(const char *file, int line, const volatile void *lock);
void AnnotateRWLockDestroy(const char *file, int line, const volatile void *lock);
void AnnotateRWLockAcquired(const char *file, int line, const volatile void *lock, long exclusive);
void AnnotateRWLockReleased(const char *file, int line, const volatile void *lock, long exclusive);

int x;
char lock;

static void *run(void *unused) {
    (void)unused;
    AnnotateRWLockAcquired(__FILE__, __LINE__, &lock, 1); //: T1 acq(lock)
    x = 1;                                                //: T1 w4(x) =1
    AnnotateRWLockReleased(__FILE__, __LINE__, &lock, 1); //: T1 rel(lock)
    AnnotateRWLockAcquired(__FILE__, __LINE__, &lock, 0); //: T1 acq_shared(lock)
    use(x);                                               //: T1 r4(x) =1
    AnnotateRWLockReleased(__FILE__, __LINE__, &lock, 0); //: T1 rel_shared(lock)
    return NULL;
}

int main(void) {
    pthread_t thread;
    AnnotateRWLockCreate(__FILE__, __LINE__, &lock);
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    use(x);                                               //: T0 r4(x) =1
    AnnotateRWLockDestroy(__FILE__, __LINE__, &lock);
    return 0;
}
