// Elevator: passengers call from floors, two lifts serve whom they meet. Each floor has a lock; main enters
// the first calls before the lifts run and looks at the floors when they have stopped.
//
// threads: lift, passengers
//
// not a bug: race on 'floors[*].waiting'
//   write `waiting` in Floor::call [call], holding 'floors[*].mutex'
//   write `waiting` in Floor::serve [serve], holding 'floors[*].mutex'
//   because both hold the floor's mutex
// not a bug: race on 'floors[*].waiting'
//   write `waiting` in main [first-calls], holding nothing
//   write `waiting` in Floor::serve [serve], holding 'floors[*].mutex'
//   because the lifts are created later
// not a bug: race on 'floors[*].waiting'
//   read `waiting` in main [left], holding nothing
//   write `waiting` in Floor::serve [serve], holding 'floors[*].mutex'
//   because main joins the lifts first
#include "sample.h"

#include <mutex>
#include <thread>

struct Floor {
    std::mutex mutex;
    int waiting = 0;

    NOINLINE void call() {
        const std::lock_guard<std::mutex> lock(mutex);
        waiting += 1; // [call]
    }

    NOINLINE int serve() {
        const std::lock_guard<std::mutex> lock(mutex);
        const int boarding = waiting;
        if (boarding > 0) waiting = 0; // [serve]
        return boarding;
    }
};

static constexpr int kFloors = 4;
static Floor floors[kFloors];

static void lift(bool upwards, int* carried) {
    name_thread("lift");
    for (int i = 0; i < kFloors; ++i) *carried += floors[upwards ? i : kFloors - 1 - i].serve();
}

static void passengers() {
    name_thread("passengers");
    for (Floor& floor : floors) floor.call();
}

int main() {
    int carried[2] = {};
    for (Floor& floor : floors) floor.waiting = 1; // [first-calls]
    std::thread threads[] = {std::thread(lift, true, &carried[0]), std::thread(lift, false, &carried[1]),
                             std::thread(passengers)};
    for (std::thread& thread : threads) thread.join();
    int left = 0;
    for (const Floor& floor : floors) left += floor.waiting; // [left]
    return carried[0] + carried[1] + left == 2 * kFloors ? CLEAN_RUN : WRONG_RESULT;
}
