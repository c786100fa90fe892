// ignores: heap
#include "program.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

int ready;
std::mutex m;
std::condition_variable c;

static void run() {
    m.lock();       //: T1,T2 acq(m)
    ready = 1;      //: T1,T2 w4(ready) =1
    c.notify_one(); //: T1,T2 notify(c)
    m.unlock();     //: T1,T2 rel(m)
}

int main() {
    std::unique_lock<std::mutex> lock(m); //: T0 acq(m)
    std::thread first(run);               //: T0 fork(T1)
    c.wait(lock);                         //: T0 wait_pre(c); T0 rel(m); T0 acq(m); T0 wait_post(c) matched
    std::thread second(run);              //: T0 fork(T2)
    check(c.wait_for(lock, std::chrono::hours(1)) == std::cv_status::no_timeout); //: T0 wait_pre(c); T0 rel(m); T0 acq(m); T0 wait_post(c) matched
    use(ready);                           //: T0 r4(ready) =1
    c.notify_all();                       //: T0 notify_all(c)
    lock.unlock();                        //: T0 rel(m)
    first.join();                         //: T0 join(T1)
    second.join();                        //: T0 join(T2)
    return 0;
}
