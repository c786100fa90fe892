// Blocks of operator new are known by the place of the operator, not by what the C++ library does for it.
// block: heap1 = 8 bytes by make_one < main, freed by unmake < main
// block: heap2 = 64 bytes by make_many < main, freed by main
#include "program.h"

static __attribute__((noinline)) long *make_one() { return new long; }
static __attribute__((noinline)) long *make_many() { return new long[8]; }
static __attribute__((noinline)) void unmake(long *one) { delete one; }

static void *run(void *given) {
    *static_cast<long *>(given) = 1; //: T1 w8(heap1) =1; T2 w8(heap2) =1
    return nullptr;
}

int main() {
    pthread_t thread;
    long *one = make_one();
    check(pthread_create(&thread, nullptr, run, one) == 0); //: T0 fork(T1)
    check(pthread_join(thread, nullptr) == 0);              //: T0 join(T1)
    use(*one);                                              //: T0 r8(heap1) =1
    unmake(one);
    long *many = make_many();
    check(pthread_create(&thread, nullptr, run, many) == 0); //: T0 fork(T2)
    check(pthread_join(thread, nullptr) == 0);               //: T0 join(T2)
    use(*many);                                              //: T0 r8(heap2) =1
    delete[] many;
    return 0;
}
