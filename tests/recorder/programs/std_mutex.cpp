// The locks of the standard library. What std::thread itself shares with the new thread is in the heap. Its threads are forked
// and joined inside the library; the place is the call in this file.
// ignores: heap
#include "program.h"

#include <chrono>
#include <mutex>
#include <thread>

int x;
std::mutex m;
std::recursive_mutex recursive;
std::timed_mutex timed;

static void run() {
    m.lock();            //: T1 acq(m)
    x = 1;               //: T1 w4(x) =1
    m.unlock();          //: T1 rel(m)
    check(m.try_lock()); //: T1 acq(m)
    m.unlock();          //: T1 rel(m)
    recursive.lock();    //: T1 acq(recursive)
    recursive.lock();
    recursive.unlock();
    recursive.unlock();                                //: T1 rel(recursive)
    check(timed.try_lock_for(std::chrono::hours(1)));  //: T1 acq(timed)
    x = 2;                                             //: T1 w4(x) =2
    timed.unlock();                                    //: T1 rel(timed)
}

int main() {
    std::thread thread(run); //: T0 fork(T1)
    thread.join();           //: T0 join(T1)
    use(x);                  //: T0 r4(x) =2
    return 0;
}
