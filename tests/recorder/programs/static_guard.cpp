// A function's static variable: the first thread runs the initialiser, the other sees that it ran, by the guard alone.
#include "program.h"

long x; // fills its 8 bytes, so that nothing else is in them

__attribute__((noinline)) static int initial() {
    x = 1; //: T1/1 w8(x) =1
    return 1;
}

__attribute__((noinline)) static int &guarded() {
    static int once = initial(); //: T1 atomic_load1(guarded()::once) =0 acquire; T1 once_begin(guarded()::once); T1/2 once_end(guarded()::once); T1/2 atomic_store1(guarded()::once) =1 release; T0 atomic_load1(guarded()::once) =1 acquire
    return once;
}

static void *run(void *) {
    use(&guarded());
    return nullptr;
}

int main() {
    pthread_t thread;
    check(pthread_create(&thread, nullptr, run, nullptr) == 0); //: T0/-1 fork(T1)
    check(pthread_join(thread, nullptr) == 0);                  //: T0/-1 join(T1)
    use(&guarded());
    use(x); //: T0/1 r8(x) =1
    return 0;
}
