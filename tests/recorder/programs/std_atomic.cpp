// A flag of std::atomic hands x over.
// ignores: heap
#include "program.h"

#include <atomic>
#include <thread>

int x;
std::atomic<bool> flag{false};
std::atomic<long> counter{0};

static void run() {
    x = 1;                                       //: T1 w4(x) =1
    counter.fetch_add(2);                        //: T1 atomic_rmw8(counter) =0->2 seq_cst
    flag.store(true, std::memory_order_release); //: T1 atomic_store1(flag) =1 release
}

int main() {
    std::thread thread(run);                         //: T0 fork(T1)
    thread.join();                                   //: T0 join(T1)
    check(flag.load(std::memory_order_acquire));     //: T0 atomic_load1(flag) =1 acquire
    use(counter.load(std::memory_order_relaxed));    //: T0 atomic_load8(counter) =2 relaxed
    use(x);                                          //: T0 r4(x) =1
    return 0;
}
