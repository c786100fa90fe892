// An exception leaves frames without their exits; the call stack of what follows is right.
// ignores: libraries
// stack: T1 w4(y) = run
#include "program.h"

int x, y;

__attribute__((noinline)) static void deep(int left) {
    if (left == 0) throw 1;
    deep(left - 1);
    use(left);
}

static void *run(void *) {
    try {
        deep(20);
    } catch (int) {
        x = 1; //: T1 w4(x) =1
    }
    y = 1; //: T1 w4(y) =1
    return nullptr;
}

int main() {
    pthread_t thread;
    check(pthread_create(&thread, nullptr, run, nullptr) == 0); //: T0 fork(T1)
    check(pthread_join(thread, nullptr) == 0);                  //: T0 join(T1)
    use(x);                                                     //: T0 r4(x) =1
    use(y);                                                     //: T0 r4(y) =1
    return 0;
}
