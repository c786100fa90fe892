#include "daemon/cli/threads.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace heddle::cli {

Workers threads(std::size_t count) {
    if (count == 0) count = std::max(std::thread::hardware_concurrency(), 1U);
    if (count == 1) return {};
    return {count, [count](std::size_t tasks, const std::function<void(std::size_t)>& task) {
                std::atomic<std::size_t> next = 0;
                const auto work = [&] {
                    for (std::size_t i = next++; i < tasks; i = next++) task(i);
                };
                std::vector<std::jthread> others;
                for (std::size_t i = 1; i < std::min(count, tasks); ++i) others.emplace_back(work);
                work();
            }};
}

} // namespace heddle::cli
