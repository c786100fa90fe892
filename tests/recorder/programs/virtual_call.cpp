// A call of a virtual function reads the pointer to the table, and a constructor writes it.
#include "program.h"

#include <new>

struct Object {
    __attribute__((noinline)) virtual long number() { return 1; }
};
struct Other : Object {
    __attribute__((noinline)) long number() override { return 2; }
};

Object object;

static void *run(void *) {
    Object *called = &object;
    __asm__ volatile("" : "+r"(called));
    use(called->number()); //: T1 r8(object)
    return nullptr;
}

int main() {
    pthread_t thread;
    check(pthread_create(&thread, nullptr, run, nullptr) == 0); //: T0 fork(T1)
    check(pthread_join(thread, nullptr) == 0);                  //: T0 join(T1)
    ::new (static_cast<void *>(&object)) Other;                                     //: T0 w8(object) anywhere
    return 0;
}
