// The destructor of a thread's own variable runs after the thread's function, and is recorded.
#include "program.h"

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

struct Last {
    bool used = false;
    ~Last() {
        pthread_mutex_lock(&m);   //: T1 acq(m)
        x = 1;                    //: T1 w4(x) =1
        pthread_mutex_unlock(&m); //: T1 rel(m)
    }
};

thread_local Last last;

static void *run(void *) {
    last.used = true;
    return nullptr;
}

int main() {
    pthread_t thread;
    check(pthread_create(&thread, nullptr, run, nullptr) == 0); //: T0 fork(T1)
    check(pthread_join(thread, nullptr) == 0);                  //: T0 join(T1)
    use(x);                                                     //: T0 r4(x) =1
    return 0;
}
