// Work that may be done by several threads at once. The analyses have no threads of their own: whoever calls
// them says how work is run.
#pragma once

#include <cstddef>
#include <functional>

namespace heddle {

struct Workers {
    /// Runs task(0) to task(count - 1), in any order and at the same time if it likes; returns when all are
    /// done.
    using Run = std::function<void(std::size_t count, const std::function<void(std::size_t)>& task)>;

    std::size_t count = 1; ///< how many tasks it makes sense to run at a time
    Run run;               ///< empty: one after the other

    void operator()(std::size_t tasks, const std::function<void(std::size_t)>& task) const {
        if (run) return run(tasks, task);
        for (std::size_t i = 0; i < tasks; ++i) task(i);
    }
};

} // namespace heddle
