#include "analysis/transactions.h"

#include <algorithm>
#include <tuple>

namespace heddle {

void TransactionScanner::step(const EventView& event, std::vector<TransactionBlock>& closed) {
    switch (event.kind()) {
    case EventKind::acquire:
    case EventKind::acquire_shared: sections_.push_back({event.lock(), event.id()}); break;
    case EventKind::release:
    case EventKind::release_shared: {
        const auto at = std::find_if(sections_.rbegin(), sections_.rend(),
                                     [&](const Section& one) { return one.lock == event.lock(); });
        if (at == sections_.rend()) break;
        if (!at->waits) {
            closed.push_back({thread_, at->first, event.id(), TransactionOrigin::critical_section});
        }
        sections_.erase(std::next(at).base());
        break;
    }
    case EventKind::wait_pre:
        for (Section& section : sections_) section.waits = true;
        break;
    case EventKind::txn_begin: marks_.push_back(event.id()); break;
    case EventKind::txn_end:
        if (marks_.empty()) break;
        closed.push_back({thread_, marks_.back(), event.id(), TransactionOrigin::marked});
        marks_.pop_back();
        break;
    default: break;
    }
}

void TransactionScanner::finish(EventId last, std::vector<TransactionBlock>& closed) {
    for (const Section& section : sections_) {
        if (!section.waits) {
            closed.push_back({thread_, section.first, last, TransactionOrigin::critical_section});
        }
    }
    for (const EventId mark : marks_) closed.push_back({thread_, mark, last, TransactionOrigin::marked});
    sections_.clear();
    marks_.clear();
}

std::vector<TransactionBlock> transactions(const Trace& trace, std::span<const TransactionBlock> given) {
    std::vector<TransactionBlock> result(given.begin(), given.end());
    for (std::uint32_t thread = 0; thread < trace.thread_count(); ++thread) {
        const ThreadIndex& events = trace.events_of(ThreadId{thread});
        if (events.empty()) continue;
        TransactionScanner scanner{ThreadId{thread}};
        for (const std::uint32_t event : events) scanner.step(trace[EventId{event}], result);
        scanner.finish(EventId{events.back()}, result);
    }
    std::ranges::sort(result, {}, [](const TransactionBlock& block) {
        return std::tuple(block.thread, block.first, block.last, block.origin);
    });
    return result;
}

} // namespace heddle
