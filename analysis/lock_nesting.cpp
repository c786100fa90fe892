#include "analysis/lock_nesting.h"

#include <algorithm>

namespace heddle {

std::vector<ThreadNesting> lock_nesting(const Trace& trace) {
    std::vector<ThreadNesting> result(trace.thread_count());
    std::vector<std::vector<LockId>> held(trace.thread_count());
    for (const EventView event : trace.events()) {
        ThreadNesting& nesting = result[event.thread().value];
        std::vector<LockId>& stack = held[event.thread().value];
        switch (event.kind()) {
        case EventKind::acquire:
        case EventKind::acquire_shared:
            stack.push_back(event.lock());
            nesting.max_depth = std::max(nesting.max_depth, static_cast<std::uint32_t>(stack.size()));
            break;
        case EventKind::release:
        case EventKind::release_shared: {
            const auto last = std::find(stack.rbegin(), stack.rend(), event.lock());
            if (last == stack.rend()) break;
            if (last != stack.rbegin() && nesting.nested()) nesting.first_unnested = event.id();
            stack.erase(std::next(last).base());
            break;
        }
        default: break;
        }
    }
    return result;
}

} // namespace heddle
