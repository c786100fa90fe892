// Threads for long work, behind the loop's back: they get what they need by value, and post what they found.
// They run at a lower priority than the loop, so that whatever they do an editor's request is answered at
// once.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace heddle::service {

class WorkPool {
  public:
    using Task = std::function<void()>;

    explicit WorkPool(std::size_t threads);
    /// Drops what was not begun, and waits for what was: tell tasks to stop before.
    ~WorkPool();
    WorkPool(const WorkPool&) = delete;
    WorkPool& operator=(const WorkPool&) = delete;
    WorkPool(WorkPool&&) = delete;
    WorkPool& operator=(WorkPool&&) = delete;

    /// Tasks of less weight go first, so that a small trace does not wait behind large ones.
    void submit(std::uint64_t weight, Task task);

  private:
    void work();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::multimap<std::uint64_t, Task> waiting_; ///< by weight
    bool ending_ = false;
    std::vector<std::jthread> threads_; ///< last: they use all of the above
};

} // namespace heddle::service
