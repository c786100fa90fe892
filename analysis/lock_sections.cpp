#include "analysis/lock_sections.h"

#include <algorithm>

namespace heddle {

void LockSections::extend(const Trace& trace, std::span<const EventId> events) {
    held_.resize(std::max(held_.size(), trace.thread_count()));
    for (const EventId id : events) {
        const EventView event = trace[id];
        switch (event.kind()) {
        case EventKind::acquire:
        case EventKind::acquire_shared: enter(event); break;
        case EventKind::release:
        case EventKind::release_shared: leave(event); break;
        default: break;
        }
    }
}

void LockSections::enter(const EventView& acquire) {
    const bool exclusive = acquire.kind() == EventKind::acquire;
    const auto section = static_cast<std::uint32_t>(sections_.size());
    sections_.push_back({.acquire = acquire.id(),
                         .thread = acquire.thread(),
                         .lock = acquire.lock(),
                         .exclusive = exclusive});
    Passages& passages = passages_by(acquire.thread(), acquire.lock());
    passages.all.push_back(section);
    if (exclusive) passages.exclusive.push_back(section);
    held_[acquire.thread().value].push_back(section);
}

void LockSections::leave(const EventView& release) {
    std::vector<std::uint32_t>& mine = held_[release.thread().value];
    const auto last = std::find_if(mine.rbegin(), mine.rend(), [&](std::uint32_t section) {
        return sections_[section].lock == release.lock() &&
               sections_[section].exclusive == (release.kind() == EventKind::release);
    });
    if (last == mine.rend()) return;
    sections_[*last].release = release.id();
    mine.erase(std::next(last).base());
}

LockSections::Passages& LockSections::passages_by(ThreadId thread, LockId lock) {
    const GrowingMap::Key key(thread.value, lock.value);
    std::uint32_t index = passages_of_.find(key);
    if (index == GrowingMap::kAbsent) {
        index = static_cast<std::uint32_t>(passages_.size());
        passages_of_.insert(key, index);
        passages_.emplace_back();
    }
    return passages_[index];
}

std::uint32_t LockSections::opened_by(EventId acquire) const {
    const auto found = std::ranges::lower_bound(sections_, acquire, {}, &LockSection::acquire);
    return static_cast<std::uint32_t>(found - sections_.begin());
}

std::span<const std::uint32_t> LockSections::excluding(const LockSection& section, ThreadId thread) const {
    const std::uint32_t index = passages_of_.find({thread.value, section.lock.value});
    if (index == GrowingMap::kAbsent) return {};
    return section.exclusive ? passages_[index].all : passages_[index].exclusive;
}

std::size_t LockSections::below(std::span<const std::uint32_t> list, Bound bound) const {
    const auto acquire_of = [&](std::uint32_t index) { return sections_[index].acquire.value; };
    return static_cast<std::size_t>(std::ranges::lower_bound(list, bound, {}, acquire_of) - list.begin());
}

const LockSection* LockSections::last_excluding(const LockSection& section, ThreadId thread,
                                                Bound bound) const {
    const auto list = excluding(section, thread);
    const std::size_t count = below(list, bound);
    return count == 0 ? nullptr : &sections_[list[count - 1]];
}

const LockSection* LockSections::first_excluding(const LockSection& section, ThreadId thread,
                                                 Bound bound) const {
    const auto list = excluding(section, thread);
    const std::size_t count = below(list, bound);
    return count == list.size() ? nullptr : &sections_[list[count]];
}

} // namespace heddle
