// Thread pool: jobs go through a locked queue, results come back through futures. main also looks at the
// number of finished jobs, to show progress, without the lock under which it is counted.
//
// threads: pool-worker
//
// bug: race on 'pool.finished'
//   write `finished` in Pool::count_finished [count], holding 'pool.mutex'
//   read `finished` in Pool::progress [progress], holding nothing
//   because progress does not take pool.mutex
// not a bug: race on 'results[*]'
//   write `results` in square [compute], holding nothing
//   read `results` in main [collect], holding nothing
//   because main waits for the job's future first
#include "sample.h"

#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

static constexpr int kJobs = 4;
static constexpr int kWorkers = 2;
static long results[kJobs];

struct Job {
    int number = 0;
    std::promise<void> done;
    std::future<void> result = done.get_future();
};

static Job jobs[kJobs];

struct Pool {
    std::mutex mutex;
    std::condition_variable changed;
    int submitted = 0;
    int taken = 0;
    int finished = 0;

    NOINLINE void submit() {
        const std::lock_guard<std::mutex> lock(mutex);
        submitted += 1;
        changed.notify_one();
    }

    /// Nobody, when all jobs are taken.
    NOINLINE Job* take() {
        std::unique_lock<std::mutex> lock(mutex);
        while (taken == submitted && taken < kJobs) changed.wait(lock);
        if (taken == kJobs) return nullptr;
        taken += 1;
        if (taken == kJobs) changed.notify_all();
        return &jobs[taken - 1];
    }

    NOINLINE void count_finished() {
        const std::lock_guard<std::mutex> lock(mutex);
        finished += 1; // [count]
    }

    NOINLINE int progress() const {
        return finished; // [progress]
    }
};

static Pool pool;

NOINLINE static void square(int number) {
    results[number] = long{number} * number; // [compute]
}

static void work_on_jobs() {
    name_thread("pool-worker");
    while (Job* job = pool.take()) {
        square(job->number);
        pool.count_finished();
        job->done.set_value();
    }
}

int main() {
    for (int i = 0; i < kJobs; ++i) jobs[i].number = i;
    std::thread workers[kWorkers];
    for (std::thread& worker : workers) worker = std::thread(work_on_jobs);
    for (int i = 0; i < kJobs; ++i) pool.submit();
    check(pool.progress() <= kJobs);
    long sum = 0;
    for (int i = 0; i < kJobs; ++i) {
        jobs[i].result.wait();
        sum += results[i]; // [collect]
    }
    for (std::thread& worker : workers) worker.join();
    return sum == 14 ? CLEAN_RUN : WRONG_RESULT;
}
