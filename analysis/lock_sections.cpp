#include "analysis/lock_sections.h"

#include <algorithm>

namespace heddle {

namespace {

[[nodiscard]] std::uint64_t key(ThreadId thread, LockId lock) {
    return static_cast<std::uint64_t>(thread.value) << 32U | lock.value;
}

} // namespace

LockSections::LockSections(const Trace& trace) {
    std::vector<std::vector<std::uint32_t>> held(trace.thread_count());
    for (const EventView event : trace.events()) {
        std::vector<std::uint32_t>& mine = held[event.thread().value];
        switch (event.kind()) {
        case EventKind::acquire:
        case EventKind::acquire_shared: {
            const bool exclusive = event.kind() == EventKind::acquire;
            const auto section = static_cast<std::uint32_t>(sections_.size());
            sections_.push_back({.acquire = event.id(),
                                 .thread = event.thread(),
                                 .lock = event.lock(),
                                 .exclusive = exclusive});
            Passages& passages = passages_[key(event.thread(), event.lock())];
            passages.all.push_back(section);
            if (exclusive) passages.exclusive.push_back(section);
            mine.push_back(section);
            break;
        }
        case EventKind::release:
        case EventKind::release_shared: {
            const auto ends = [&](std::uint32_t section) {
                return sections_[section].lock == event.lock() &&
                       sections_[section].exclusive == (event.kind() == EventKind::release);
            };
            const auto last = std::find_if(mine.rbegin(), mine.rend(), ends);
            if (last == mine.rend()) break;
            sections_[*last].release = event.id();
            mine.erase(std::next(last).base());
            break;
        }
        default: break;
        }
    }
}

std::uint32_t LockSections::opened_by(EventId acquire) const {
    const auto found = std::ranges::lower_bound(sections_, acquire, {}, &LockSection::acquire);
    return static_cast<std::uint32_t>(found - sections_.begin());
}

const LockSection* LockSections::last_excluding(const LockSection& section, ThreadId thread,
                                                Bound bound) const {
    const auto found = passages_.find(key(thread, section.lock));
    if (found == passages_.end()) return nullptr;
    const auto& list = section.exclusive ? found->second.all : found->second.exclusive;
    const auto acquire_of = [&](std::uint32_t index) { return sections_[index].acquire.value; };
    const auto after = std::ranges::lower_bound(list, bound, {}, acquire_of);
    return after == list.begin() ? nullptr : &sections_[*std::prev(after)];
}

} // namespace heddle
