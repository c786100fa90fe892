#include "traces/summary.h"

namespace heddle {

namespace {
constexpr std::uint32_t kNobody = Id<ThreadTag>::kNone;
constexpr std::uint32_t kShared = kNobody - 1;
} // namespace

Summary summarize(const Trace& trace) {
    Summary result;
    for (std::size_t thread = 0; thread < trace.thread_count(); ++thread) {
        result.by_thread.push_back(trace.events_of(ThreadId{thread}).size());
    }
    std::vector<std::uint32_t> user(trace.objects(ObjectKind::variable).size(), kNobody);
    for (const EventView event : trace.events()) {
        ++result.by_kind[static_cast<std::size_t>(event.kind())];
        if (!is_access(event.kind())) continue;
        ++result.accesses;
        result.accesses_with_value += static_cast<std::uint64_t>(event.has_value());
        std::uint32_t& by = user[event.variable().value];
        if (by == kShared || by == event.thread().value) continue;
        if (by != kNobody) ++result.shared_variables;
        by = by == kNobody ? event.thread().value : kShared;
    }
    return result;
}

} // namespace heddle
