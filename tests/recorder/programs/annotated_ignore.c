/* What a program says to leave out is left out. */
#include "program.h"

void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);

int x;

static void *run(void *unused) {
    (void)unused;
    x = 1; //: T1 w4(x)
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    x = 2;
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    use(x);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
    x = 3; //: T1 w4(x) =3
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    use(x);                                               //: T0 r4(x) =3
    return 0;
}
