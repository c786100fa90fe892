// ignores: heap
#include "program.h"

#include <shared_mutex>
#include <thread>

int x;
std::shared_mutex m;

static void run() {
    m.lock_shared();            //: T1 acq_shared(m)
    use(x);                     //: T1 r4(x) =0
    m.unlock_shared();          //: T1 rel_shared(m)
    m.lock();                   //: T1 acq(m)
    x = 1;                      //: T1 w4(x) =1
    m.unlock();                 //: T1 rel(m)
    check(m.try_lock_shared()); //: T1 acq_shared(m)
    m.unlock_shared();          //: T1 rel_shared(m)
    check(m.try_lock());        //: T1 acq(m)
    m.unlock();                 //: T1 rel(m)
}

int main() {
    std::thread thread(run); //: T0 fork(T1)
    thread.join();           //: T0 join(T1)
    use(x);                  //: T0 r4(x) =1
    return 0;
}
