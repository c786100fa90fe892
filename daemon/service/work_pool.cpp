#include "daemon/service/work_pool.h"

#include <utility>

#include <sys/resource.h>
#include <unistd.h>

namespace heddle::service {

namespace {
constexpr int kNice = 5;
}

WorkPool::WorkPool(std::size_t threads) {
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

WorkPool::~WorkPool() {
    {
        const std::lock_guard guard(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
}

void WorkPool::submit(std::uint64_t weight, Task task) {
    {
        const std::lock_guard guard(mutex_);
        waiting_.emplace(weight, std::move(task));
    }
    changed_.notify_one();
}

void WorkPool::work() {
    // On Linux a thread has a nice value of its own, which threads that it starts inherit.
    static_cast<void>(setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNice));
    for (;;) {
        Task task;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
            if (ending_) return;
            task = std::move(waiting_.extract(waiting_.begin()).mapped());
        }
        task();
    }
}

} // namespace heddle::service
