#include "analysis/phase_one.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace heddle {

namespace {

/// Enough lookups under way at once to hide what each of them waits for.
constexpr std::size_t kLooseBatch = 64;

} // namespace

PhaseOne::PhaseOne(PhaseOneOptions options)
    : options_(std::move(options)), settled_(profiles_, futures_, options_.max_places),
      open_(profiles_, futures_, options_.max_places) {
    std::ranges::sort(options_.given, {}, &TransactionBlock::first);
}

bool PhaseOne::extend(const Trace& trace, const Progress& progress) {
    add_threads(trace);
    open_.pairs.clear(); // knows cells
    open_.cells.clear();
    bool stopped = false;
    for (const EventView event : trace.events(EventId{taken_}, EventId{trace.size()})) {
        if (!keep_going(progress, taken_, trace.size())) {
            stopped = true;
            break;
        }
        take(trace, event);
        ++taken_;
    }
    settle_loose();
    settle_open(trace);
    return !stopped;
}

void PhaseOne::add_threads(const Trace& trace) {
    while (threads_.size() < trace.thread_count()) {
        const ThreadId id{threads_.size()};
        threads_.emplace_back(id);
        for (const TransactionBlock& block : options_.given) {
            if (block.thread == id) threads_.back().given.push_back(block);
        }
    }
    if (options_.order == nullptr) return;
    for (Thread& thread : threads_) {
        // A thread stands in its first segment before its first event.
        if (!thread.segment.valid() && !options_.order->segments_of(thread.id).empty())
            thread.segment = options_.order->segments_of(thread.id)[thread.next_segment++].id;
        find_next_segment(thread);
    }
}

void PhaseOne::find_next_segment(Thread& thread) const {
    const auto segments = options_.order->segments_of(thread.id);
    thread.next_start =
        thread.next_segment < segments.size() ? segments[thread.next_segment].start : kNoTarget;
}

void PhaseOne::take(const Trace& trace, const EventView& event) {
    Thread& thread = threads_[event.thread().value];
    const EventKind kind = event.kind();
    const std::uint32_t index = thread.index++;
    const SegmentId before = thread.segment;
    if (index == thread.next_start) {
        thread.segment = options_.order->segments_of(thread.id)[thread.next_segment++].id;
        find_next_segment(thread);
    }
    thread.last = event.id();
    if (!is_plain_access(kind)) ++thread.sync;
    if (is_access(kind) && (event.target() & (options_.shards - 1)) != options_.shard) return;
    // To stand before an access that itself waits for others, a thread needs only what came before.
    const bool opens_segment = before != thread.segment && traits(kind).atomic && reads_memory(kind);
    StretchItem item{.head = event.head(),
                     .event = event.id(),
                     .target = event.target(),
                     .profile = LockProfiles::empty(),
                     .segment = opens_segment ? before : thread.segment,
                     .index = index,
                     .sync = thread.sync,
                     .opens_segment = opens_segment};
    if (thread.next_given < thread.given.size()) begin_given(event.id(), thread);
    if (is_access(kind)) {
        if (!thread.in_stretch) { // and so without locks
            loose_.push_back(cell_of(trace, item, LockFutures::unknown()));
            if (loose_.size() == kLooseBatch) settle_loose();
            return;
        }
        item.profile = profiles_.current(thread.id);
        thread.items.push_back(item);
    } else {
        if (is_lock_event(kind)) take_lock(trace, event, thread, item);
        thread.scanner.step(event, thread.blocks);
        if (!thread.scanner.idle()) thread.in_stretch = true;
        if (!thread.in_stretch) return;
        if (is_lock_event(kind)) {
            item.profile = profiles_.current(thread.id);
            thread.items.push_back(item);
        }
    }
    if (!thread.scanner.idle() || event.id() < thread.given_until) return;
    settle(trace, thread, settled_);
    thread.items.clear();
    thread.blocks.clear();
    thread.in_stretch = false;
}

void PhaseOne::take_lock(const Trace& trace, const EventView& event, Thread& thread,
                         const StretchItem& item) {
    const bool first_shard = options_.shard == 0; // what concerns locks alone is needed once
    if (first_shard && options_.order != nullptr)
        dependencies_.step(trace, event, profiles_.current(thread.id), item.segment, item.index);
    profiles_.step(event);
    if (first_shard) thread.turns.push_back({event.id(), profiles_.current(thread.id)});
}

ProfileId PhaseOne::profile_before(ThreadId thread, EventId event) const {
    const std::vector<Turn>& turns = threads_[thread.value].turns;
    const auto after = std::ranges::lower_bound(turns, event, {}, &Turn::event);
    return after == turns.begin() ? LockProfiles::empty() : std::prev(after)->profile;
}

void PhaseOne::begin_given(EventId now, Thread& thread) const {
    while (thread.next_given < thread.given.size() && thread.given[thread.next_given].first <= now) {
        const TransactionBlock& block = thread.given[thread.next_given++];
        thread.blocks.push_back(block);
        thread.given_until = std::max(thread.given_until, block.last);
        thread.in_stretch = true;
    }
}

AccessCell PhaseOne::cell_of(const Trace& trace, const StretchItem& item, FutureId future) const {
    return {.variable = VarId{item.target},
            .shape = AccessShape(item.head, item.opens_segment),
            .place = options_.order == nullptr ? PlaceId{} : trace.place_of(item.head.stack()),
            .profile = item.profile,
            .future = future,
            .segment = item.segment,
            .first = item.event,
            .index = item.index,
            .sync = item.sync};
}

void PhaseOne::settle_loose() {
    settled_.cells.add(loose_, ids_);
    loose_.clear();
}

void PhaseOne::settle(const Trace& trace, Thread& thread, Sets& sets) {
    settle_loose(); // so that the order of cells does not depend on when extend() is called
    const bool futures = with_futures(thread.id);
    const std::vector<FutureId> future = futures ? futures_at(thread.items) : std::vector<FutureId>{};
    batch_.clear();
    for (std::size_t at = 0; at < thread.items.size(); ++at) {
        const StretchItem& item = thread.items[at];
        if (!item.is_lock())
            batch_.push_back(cell_of(trace, item, futures ? future[at] : LockFutures::unknown()));
    }
    if (batch_.empty()) return;
    sets.cells.add(batch_, ids_);
    auto id = ids_.begin();
    for (StretchItem& item : thread.items) {
        if (!item.is_lock()) item.cell = *id++;
    }
    if (thread.blocks.size() > 1) std::ranges::sort(thread.blocks, {}, &TransactionBlock::first);
    sets.pairs.add(thread.items, thread.blocks, futures);
}

void PhaseOne::settle_open(const Trace& trace) {
    for (const Thread& thread : threads_) {
        if (!thread.in_stretch) continue;
        Thread ended = thread;
        ended.scanner.finish(ended.last, ended.blocks);
        settle(trace, ended, open_);
    }
}

std::vector<VarId> PhaseOne::take_changed() {
    std::vector<VarId> result = settled_.cells.take_touched();
    // What is open now will be made anew.
    for (const VarId variable : open_.cells.touched()) result.push_back(variable);
    std::ranges::move(was_open_, std::back_inserter(result));
    was_open_ = open_.cells.touched();
    std::ranges::sort(result);
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

/// What lies ahead of each item's thread, seen from the end of the stretch backwards.
std::vector<FutureId> PhaseOne::futures_at(std::span<const StretchItem> items) {
    std::vector<FutureId> result(items.size());
    std::vector<LockFutures::Held> held;
    if (!items.empty()) {
        for (const LockProfiles::Held& one : profiles_.held(items.back().profile)) {
            held.push_back({one.lock, one.mode, 1, profiles_.histories().none()});
        }
    }
    FutureId now = futures_.intern(held);
    for (std::size_t at = items.size(); at-- > 0;) {
        result[at] = now;
        if (!items[at].is_lock()) continue;
        LockFutures::step_back(profiles_.histories(), held, items[at].head.kind(), LockId{items[at].target});
        now = futures_.intern(held);
    }
    return result;
}

} // namespace heddle
