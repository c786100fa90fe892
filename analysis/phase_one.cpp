#include "analysis/phase_one.h"

#include "analysis/stretch_folding.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace heddle {

namespace {

/// Enough lookups under way at once to hide what each of them waits for.
constexpr std::size_t kLooseBatch = 64;
/// Accesses of an open stretch that are put into cells before the next look at the limits.
constexpr std::size_t kAskEvery = std::size_t{1} << 16U;
/// How many of them are looked at even after a stop: what was taken by then should tell something, soon.
constexpr std::size_t kOpenAfterStop = std::size_t{1} << 18U;

} // namespace

PhaseOne::PhaseOne(PhaseOneOptions options)
    : options_(std::move(options)), settled_(profiles_, futures_, options_.max_places),
      open_(profiles_, futures_, options_.max_places) {
    std::ranges::sort(options_.given, {}, &TransactionBlock::first);
}

bool PhaseOne::extend(const Trace& trace, const Progress& progress) {
    add_threads(trace);
    open_.pairs.clear(); // knows cells
    open_.inferred.clear();
    open_.cells.clear();
    any_marks_ = options_.source != nullptr && options_.source->any_marks();
    bool stopped = false;
    for (const EventView event : trace.events(EventId{taken_}, EventId{trace.size()})) {
        if (!keep_going(progress, taken_, trace.size())) {
            stopped = true;
            break;
        }
        ++taken_;
        Thread& thread = threads_[event.thread().value];
        const SegmentId before = thread.segment;
        if (any_marks_) follow_marks(event, thread);
        if (thread.index++ == thread.next_start) enter_segment(thread);
        thread.last = event.id();
        if (!is_access(event.kind())) {
            take_synchronisation(trace, event, thread);
        } else if ((event.target() & (options_.shards - 1)) == options_.shard) {
            take_access(trace, event, thread, before);
        } else if (!is_plain_access(event.kind())) {
            ++thread.sync;
        }
    }
    settle_loose();
    settled_.pairs.settle();
    settle_open(progress, stopped);
    return !stopped && whole_;
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
        if (!thread.segment.valid() && !options_.order->segments_of(thread.id).empty()) {
            enter_segment(thread);
        } else {
            find_next_segment(thread);
        }
    }
}

void PhaseOne::find_next_segment(Thread& thread) const {
    const auto segments = options_.order->segments_of(thread.id);
    thread.next_start =
        thread.next_segment < segments.size() ? segments[thread.next_segment].start : kNoTarget;
}

void PhaseOne::enter_segment(Thread& thread) const {
    thread.segment = options_.order->segments_of(thread.id)[thread.next_segment++].id;
    find_next_segment(thread);
}

void PhaseOne::take_access(const Trace& trace, EventView event, Thread& thread, SegmentId before) {
    const EventKind kind = event.kind();
    if (!is_plain_access(kind)) ++thread.sync;
    if (thread.next_given < thread.given.size()) begin_given(event.id(), thread);
    // To stand before an access that itself waits for others, a thread needs only what came before.
    const bool opens_segment = before != thread.segment && traits(kind).atomic && reads_memory(kind);
    const AccessKey key{.variable = event.variable(),
                        .shape = AccessShape(event.head(), opens_segment),
                        .place =
                            options_.order == nullptr ? PlaceId{} : trace.place_for_people(event.stack()),
                        .segment = opens_segment ? before : thread.segment,
                        .profile = thread.profile,
                        .future = LockFutures::unknown()};
    std::vector<Access>& accesses = thread.in_stretch ? thread.stretch.accesses : loose_;
    accesses.push_back({.key = key,
                        .event = event.id(),
                        .index = thread.index - 1,
                        .sync = thread.sync,
                        .cell = {},
                        .hash = key.hash()});
    settled_.cells.expect(accesses);
    if (options_.source != nullptr && event.stack().valid() && options_.source->has_roles(event.stack())) {
        (thread.in_stretch ? thread.stretch.parts : loose_parts_)
            .push_back({static_cast<std::uint32_t>(accesses.size() - 1), event.stack()});
    }
    if (thread.in_stretch) {
        end_stretch(event.id(), thread);
        // Blocks from elsewhere begin and end where they like.
        if (accesses.size() >= std::max(thread.stretch.fold_at, options_.fold_from) && thread.given.empty() &&
            !any_marks_)
            fold_repeated_accesses(thread.stretch);
    } else if (loose_.size() == kLooseBatch) {
        settle_loose();
    }
}

void PhaseOne::take_synchronisation(const Trace& trace, EventView event, Thread& thread) {
    ++thread.sync;
    if (thread.next_given < thread.given.size()) begin_given(event.id(), thread);
    const bool of_lock = is_lock_event(event.kind());
    if (of_lock) take_lock(trace, event, thread);
    thread.scanner.step(event, thread.stretch.blocks);
    if (!thread.scanner.idle()) thread.in_stretch = true;
    if (!thread.in_stretch) return;
    const auto accesses = static_cast<std::uint32_t>(thread.stretch.accesses.size());
    if (thread.stretch.epochs.empty() || thread.stretch.epochs.back() != accesses)
        thread.stretch.epochs.push_back(accesses);
    if (of_lock)
        thread.stretch.steps.push_back({.event = event.id(),
                                        .lock = event.lock(),
                                        .profile = thread.profile,
                                        .kind = event.kind(),
                                        .accesses = accesses});
    end_stretch(event.id(), thread);
}

/// If nothing is open any more.
void PhaseOne::end_stretch(EventId now, Thread& thread) {
    if (!idle(thread, now)) return;
    settle(thread, settled_);
    thread.stretch.clear();
    thread.in_stretch = false;
}

void PhaseOne::take_lock(const Trace& trace, const EventView& event, Thread& thread) {
    const bool first_shard = options_.shard == 0; // what concerns locks alone is needed once
    if (first_shard && options_.order != nullptr)
        dependencies_.step(trace, event, thread.profile, thread.segment, thread.index - 1);
    profiles_.step(event);
    thread.profile = profiles_.current(thread.id);
    if (keeps_turns()) thread.turns.push_back({event.id(), thread.profile});
}

ProfileId PhaseOne::profile_before(ThreadId thread, EventId event) const {
    const std::vector<ProfileTurn>& turns = threads_[thread.value].turns;
    const auto after = std::ranges::lower_bound(turns, event, {}, &ProfileTurn::event);
    return after == turns.begin() ? LockProfiles::empty() : std::prev(after)->profile;
}

void PhaseOne::begin_given(EventId now, Thread& thread) const {
    while (thread.next_given < thread.given.size() && thread.given[thread.next_given].first <= now) {
        const TransactionBlock& block = thread.given[thread.next_given++];
        thread.stretch.blocks.push_back(block);
        thread.given_until = std::max(thread.given_until, block.last);
        thread.in_stretch = true;
    }
}

/// Before the event is taken: what was marked and is left behind ends with the event before.
void PhaseOne::follow_marks(const EventView& event, Thread& thread) {
    const std::size_t before = thread.stretch.blocks.size();
    thread.marked.step(event, *options_.source, thread.stretch.blocks);
    if (thread.stretch.blocks.size() > before) thread.stretch.marked_in_source = true;
    const bool goes_on = !thread.scanner.idle() || thread.marked.began_before(event.id());
    if (thread.in_stretch && !goes_on && thread.last >= thread.given_until) {
        settle(thread, settled_);
        thread.stretch.clear();
        thread.in_stretch = false;
    }
    if (!thread.marked.idle()) thread.in_stretch = true;
}

/// Which of the accesses, just put into cells, the source says belong together. `cells_before`: how many
/// cells there were before. `thread`: theirs; null when they are of several.
void PhaseOne::infer(std::span<const Access> accesses, std::span<const Stretch::Part> parts, Sets& sets,
                     std::size_t cells_before, Thread* thread) {
    const std::uint32_t offset = &sets == &open_ ? CellLookup::kSecond : 0;
    std::size_t at = 0;
    for (const Stretch::Part& part : parts) {
        // How many there were at this access, in however large portions they are put into cells.
        for (; at <= part.access; ++at)
            cells_before = std::max<std::size_t>(cells_before, accesses[at].cell.value + std::size_t{1});
        const Access& access = accesses[part.access];
        Thread& own = thread != nullptr ? *thread : threads_[access.key.shape.thread().value];
        sets.inferred.take(*options_.source, part.stack, access, CellId{access.cell.value + offset},
                           own.pending, own.turns, cells_before);
    }
}

std::size_t PhaseOne::waiting() const {
    std::size_t result = 0;
    for (const Thread& thread : threads_) result += thread.stretch.accesses.size();
    return result;
}

void PhaseOne::settle_loose() {
    const std::size_t cells_before = settled_.cells.size();
    settled_.cells.add(loose_);
    infer(loose_, loose_parts_, settled_, cells_before, nullptr);
    loose_.clear();
    loose_parts_.clear();
}

void PhaseOne::settle(Thread& thread, Sets& sets, const TransactionPairs::More& more) {
    settle_loose(); // so that the order of cells does not depend on when extend() is called
    Stretch& stretch = thread.stretch;
    if (stretch.accesses.empty()) return;
    const bool futures = with_futures(thread.id);
    if (futures) {
        tell_futures(stretch);
        for (Access& access : stretch.accesses) access.hash = access.key.hash();
    }
    const std::size_t cells_before = sets.cells.size();
    std::span<Access> rest = stretch.accesses;
    for (std::size_t done = 0; !rest.empty() && (!more || more(done));) {
        const std::size_t now = more ? std::min(rest.size(), kAskEvery) : rest.size();
        sets.cells.add(rest.first(now));
        rest = rest.subspan(now);
        done += now;
    }
    if (!rest.empty()) return; // told to stop: what these accesses belong to is not known
    if (stretch.blocks.size() > 1) std::ranges::sort(stretch.blocks, {}, &TransactionBlock::first);
    sets.pairs.add(stretch, futures, more);
    infer(stretch.accesses, stretch.parts, sets, cells_before, &thread);
}

void PhaseOne::settle_open(const Progress& progress, bool stopped) {
    whole_ = true;
    for (Thread& thread : threads_) {
        if (!thread.in_stretch) continue;
        settle_open(thread, [&](std::size_t accesses) {
            const bool goes_on = stopped ? accesses < kOpenAfterStop : !progress || progress(taken_, taken_);
            whole_ = whole_ && goes_on;
            return goes_on;
        });
    }
    open_.pairs.settle();
}

/// As if it ended here. Later calls go on from what it is now.
void PhaseOne::settle_open(Thread& thread, const TransactionPairs::More& more) {
    Stretch& stretch = thread.stretch;
    const std::vector<TransactionBlock> blocks = stretch.blocks;
    const bool marked_in_source = stretch.marked_in_source;
    const PendingReads pending = thread.pending;
    TransactionScanner scanner = thread.scanner;
    scanner.finish(thread.last, stretch.blocks);
    const std::size_t marked = stretch.blocks.size();
    MarkedRuns runs = thread.marked;
    runs.finish(stretch.blocks);
    if (stretch.blocks.size() > marked) stretch.marked_in_source = true;
    settle(thread, open_, more);
    stretch.blocks = blocks;
    stretch.marked_in_source = marked_in_source;
    thread.pending = pending;
    if (!with_futures(thread.id)) return;
    for (Access& access : stretch.accesses) {
        access.key.future = LockFutures::unknown(); // it may be another at the end
        access.hash = access.key.hash();
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

/// What lies ahead of the thread at each access, seen from the end of the stretch backwards.
void PhaseOne::tell_futures(Stretch& stretch) {
    std::vector<LockFutures::Held> held;
    const ProfileId last =
        stretch.steps.empty() ? stretch.accesses.back().key.profile : stretch.steps.back().profile;
    for (const LockProfiles::Held& one : profiles_.held(last))
        held.push_back({one.lock, one.mode, 1, profiles_.histories().none()});
    FutureId now = futures_.intern(held);
    std::size_t end = stretch.accesses.size();
    for (std::size_t at = stretch.steps.size(); at-- > 0;) {
        const LockStep& step = stretch.steps[at];
        while (end > step.accesses) stretch.accesses[--end].key.future = now;
        LockFutures::step_back(profiles_.histories(), held, step.kind, step.lock);
        now = futures_.intern(held);
    }
    while (end > 0) stretch.accesses[--end].key.future = now;
}

} // namespace heddle
