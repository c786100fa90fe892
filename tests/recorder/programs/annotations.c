/* Synchronisation that only the program knows about, told through the public interface. */
#include "program.h"

void __tsan_acquire(void *address);
void __tsan_release(void *address);
void AnnotateHappensBefore(const char *file, int line, const volatile void *address);
void AnnotateHappensAfter(const char *file, int line, const volatile void *address);

int x;
long own, other;

static void *run(void *unused) {
    (void)unused;
    x = 1;                                           //: T1 w4(x) =1
    __tsan_release(&own);                            //: T1 happens_before(own)
    AnnotateHappensBefore(__FILE__, __LINE__, &other); //: T1 happens_before(other)
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    __tsan_acquire(&own);                                 //: T0 happens_after(own)
    AnnotateHappensAfter(__FILE__, __LINE__, &other);     //: T0 happens_after(other)
    use(x);                                               //: T0 r4(x) =1
    return 0;
}
