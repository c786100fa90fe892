// Blocks of operator new and delete are new variables each time.
#include "program.h"

static void *run(void *given) {
    *static_cast<long *>(given) = 1; //: T1 w8(heap1) =1; T2 w8(heap2) =1
    return nullptr;
}

int main() {
    pthread_t thread;
    long *one = new long;
    check(pthread_create(&thread, nullptr, run, one) == 0); //: T0 fork(T1)
    check(pthread_join(thread, nullptr) == 0);              //: T0 join(T1)
    use(*one);                                              //: T0 r8(heap1) =1
    delete one;
    long *many = new long[8];
    check(pthread_create(&thread, nullptr, run, many) == 0); //: T0 fork(T2)
    check(pthread_join(thread, nullptr) == 0);               //: T0 join(T2)
    use(*many);                                              //: T0 r8(heap2) =1
    delete[] many;
    return 0;
}
