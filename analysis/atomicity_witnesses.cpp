#include "analysis/atomicity_witnesses.h"

#include <algorithm>
#include <unordered_set>

namespace heddle {

namespace {

std::uint64_t pair_of(ProfileId profile, FutureId future) {
    return std::uint64_t{profile.value} << 32U | future.value;
}
std::uint32_t code_of(ByteRange bytes) {
    return std::uint32_t{bytes.offset} << 3U | (bytes.size - 1U);
}

/// The number of a key, the next one when it is new.
std::uint32_t number_of(GrowingMap& numbers, GrowingMap::Key key) {
    if (const std::uint32_t known = numbers.find(key); known != GrowingMap::kAbsent) return known;
    const auto added = static_cast<std::uint32_t>(numbers.size());
    numbers.insert(key, added);
    return added;
}

} // namespace

AtomicityWitnesses::AtomicityWitnesses(std::span<const TransactionBlock> given, std::vector<bool> futures,
                                       std::size_t max_places, const HardOrder* order,
                                       const std::vector<bool>* shared)
    : given_(given.begin(), given.end()), with_futures_(std::move(futures)), max_places_(max_places),
      order_(order), shared_(shared) {
    std::ranges::sort(given_, {}, &TransactionBlock::first);
}

void AtomicityWitnesses::extend(const Trace& trace) {
    while (threads_.size() < trace.thread_count()) {
        const ThreadId id{threads_.size()};
        threads_.emplace_back(id);
        for (const TransactionBlock& block : given_) {
            if (block.thread == id) threads_.back().given.push_back(block);
        }
    }
    variables_.resize(trace.objects(ObjectKind::variable).size());
    constexpr std::size_t kMaxLately = std::size_t{1} << 16U;
    lately_.resize(std::max(lately_.size(), std::min(kMaxLately, trace.size() + 1)));
    for (Thread& thread : threads_) walk(trace, thread, false);
}

void AtomicityWitnesses::finish(const Trace& trace) {
    extend(trace);
    for (Thread& thread : threads_) walk(trace, thread, true);
}

void AtomicityWitnesses::walk(const Trace& trace, Thread& thread, bool finishing) {
    const bool futures = thread.id.value < with_futures_.size() && with_futures_[thread.id.value];
    const ThreadIndex& events = trace.events_of(thread.id);
    ++walk_;
    while (thread.taken < events.size()) {
        for (const std::uint32_t number : events.run_from(thread.taken)) {
            const EventView event = trace[EventId{number}];
            if (shared_ != nullptr && is_access(event.kind()) && !(*shared_)[event.target()]) {
                ++thread.taken;
                continue;
            }
            collect(trace, event, thread);
            if (thread.in_stretch) {
                if (thread.scanner.idle() && event.id() >= thread.given_until) process(thread, futures);
            } else if (is_access(event.kind())) {
                note_remote(thread,
                            {event.id(),
                             event.target(),
                             {},
                             event.kind(),
                             event.bytes(),
                             tag_of(trace, event, thread)},
                            LockProfiles::empty(), LockFutures::unknown());
            }
            ++thread.taken;
        }
    }
    if (!finishing || !thread.in_stretch) return;
    thread.scanner.finish(EventId{events.back()}, thread.blocks);
    process(thread, futures);
}

AccessTag AtomicityWitnesses::tag_of(const Trace& trace, const EventView& event, Thread& thread) {
    if (order_ == nullptr) return {};
    const auto index = static_cast<std::uint32_t>(thread.taken);
    const auto segments = order_->segments_of(event.thread());
    while (thread.next_segment < segments.size() &&
           order_->start_of(segments[thread.next_segment]) <= index) {
        thread.segment = segments[thread.next_segment++];
    }
    const PlaceId place = trace.place_of(event.stack());
    const std::size_t row = place.valid() ? place.value + 1 : 0;
    if (row >= recent_tags_.size()) recent_tags_.resize(trace.places().size() + 1);
    AccessTag& recent = recent_tags_[row];
    if (recent.number == 0 || recent.segment != thread.segment) {
        // Number 0 is for "no tag".
        recent = {index, thread.segment, place, number_of(tags_, {thread.segment.value, place.value}) + 1};
    }
    recent.index = index;
    return recent;
}

void AtomicityWitnesses::collect(const Trace& trace, const EventView& event, Thread& thread) {
    const EventKind kind = event.kind();
    while (thread.next_given < thread.given.size() && thread.given[thread.next_given].first <= event.id()) {
        const TransactionBlock& block = thread.given[thread.next_given++];
        thread.blocks.push_back(block);
        thread.given_until = std::max(thread.given_until, block.last);
        thread.in_stretch = true;
    }
    if (!is_access(kind)) {
        profiles_.step(event);
        thread.scanner.step(event, thread.blocks);
        if (!thread.scanner.idle()) thread.in_stretch = true;
        if (!is_lock_event(kind)) return;
    }
    if (thread.in_stretch) {
        thread.items.push_back({event.id(), event.target(), profiles_.current(event.thread()), kind,
                                event.bytes(), is_access(kind) ? tag_of(trace, event, thread) : AccessTag{}});
    }
}

std::vector<FutureId> AtomicityWitnesses::remote_futures(std::span<const Item> items) {
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
        if (!is_lock_event(items[at].kind)) continue;
        LockFutures::step_back(profiles_.histories(), held, items[at].kind, LockId{items[at].target});
        now = futures_.intern(held);
    }
    return result;
}

void AtomicityWitnesses::process(Thread& thread, bool futures) {
    std::ranges::sort(thread.blocks, {}, &TransactionBlock::first);
    const std::span<const Item> items = thread.items;
    const std::vector<FutureId> remote = futures ? remote_futures(items) : std::vector<FutureId>{};
    std::size_t block = 0; // the earliest that reaches the item: its start is the least that any has there
    bool active = false;
    EventId start;
    ProfileId profile = LockProfiles::empty();
    for (std::size_t at = 0; at < items.size(); ++at) {
        const Item& item = items[at];
        while (block < thread.blocks.size() && thread.blocks[block].last < item.event) ++block;
        const bool inside = block < thread.blocks.size() && thread.blocks[block].first <= item.event;
        if (inside && (!active || thread.blocks[block].first != start)) {
            start = thread.blocks[block].first;
            enter_context(items.first(at), start, !active, profile, futures);
        }
        active = inside;
        if (is_lock_event(item.kind)) {
            if (active) lock_step(item, futures);
            profile = item.profile;
        } else {
            note_remote(thread, item, item.profile, futures ? remote[at] : LockFutures::unknown());
            if (active) note_access(thread, item);
        }
    }
    thread.items.clear();
    thread.blocks.clear();
    thread.in_stretch = false;
}

void AtomicityWitnesses::enter_context(std::span<const Item> earlier, EventId start, bool fresh,
                                       ProfileId profile, bool futures) {
    ++context_;
    slots_.clear();
    if (fresh) {
        places_.clear();
        places_.push_back(
            {profile, futures ? futures_.standing_at(profiles_, profile) : LockFutures::unknown(), {}});
        return;
    }
    // Blocks that overlap without nesting: what lies in the new one already was seen as part of the old one.
    const auto first = std::ranges::lower_bound(earlier, start, {}, &Item::event);
    for (const Item& item : std::span(first, earlier.end())) {
        if (!is_access(item.kind)) continue;
        Slot& slot = slots_[slot_for(variables_[item.target], item.bytes)];
        const std::size_t kind = writes_memory(item.kind) ? 1 : 0;
        slot.note(kind, item.event, item.tag, kNoTarget);
    }
}

void AtomicityWitnesses::lock_step(const Item& item, bool futures) {
    ++step_;
    places_.back().end = item.event;
    FutureId future = LockFutures::unknown();
    if (futures) {
        advance_futures(item);
        future = futures_.standing_at(profiles_, item.profile);
    }
    std::erase_if(
        places_, [&](const Place& place) { return place.profile == item.profile && place.future == future; });
    places_.push_back({item.profile, future, {}});
    if (places_.size() > std::max<std::size_t>(max_places_, 2)) merge_oldest_places();
}

void AtomicityWitnesses::merge_oldest_places() {
    const std::size_t merged = places_.size() / 2 + 1;
    Place weakest = places_[merged - 1];
    for (std::size_t at = 0; at + 1 < merged; ++at) {
        weakest.profile = profiles_.common(weakest.profile, places_[at].profile);
    }
    weakest.future = LockFutures::unknown();
    weakest.exact = false;
    places_.erase(places_.begin(), places_.begin() + static_cast<std::ptrdiff_t>(merged));
    places_.insert(places_.begin(), weakest);
}

void AtomicityWitnesses::advance_futures(const Item& item) {
    std::unordered_set<std::uint64_t> seen;
    std::vector<Place> kept;
    for (std::size_t at = places_.size(); at-- > 0;) {
        Place place = places_[at];
        if (place.exact)
            place.future =
                futures_.after(profiles_.histories(), place.future, item.kind, LockId{item.target});
        if (seen.insert(pair_of(place.profile, place.future)).second) kept.push_back(place);
    }
    places_.assign(kept.rbegin(), kept.rend());
}

void AtomicityWitnesses::note_remote(Thread& thread, const Item& item, ProfileId profile, FutureId future) {
    const bool writes = writes_memory(item.kind);
    const std::size_t kind = writes ? 1 : 0;
    Variable& variable = variables_[item.target];
    if (variable.walk != walk_) {
        variable.walk = walk_;
        variable.profile = {};
    } else if (variable.profile[kind] == profile && variable.future[kind] == future &&
               variable.bytes[kind] == item.bytes && variable.tag[kind].alike(item.tag)) {
        return;
    }
    variable.profile[kind] = profile;
    variable.future[kind] = future;
    variable.bytes[kind] = item.bytes;
    variable.tag[kind] = item.tag;

    const std::uint32_t access = code_of(item.bytes) << 1U | (writes ? 1U : 0U);
    if (seen_lately({item.target, thread.id.value, profile.value, future.value, access, item.tag.number, 0}))
        return;
    const GrowingMap::Key key{item.target, tagged(standpoint(profile, future), item.tag, {}), access};
    if (thread.remote.find(key) != GrowingMap::kAbsent) return;
    thread.remote.insert(key, static_cast<std::uint32_t>(remote_.size()));
    remote_.push_back(
        {VarId{item.target}, thread.id, profile, future, item.event, item.bytes, writes, item.tag});
}

/// Most witnesses repeat one of a moment ago; this spares their look-ups. Remembers the question as asked.
bool AtomicityWitnesses::seen_lately(const WitnessKey& key) {
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i + 1 < key.size(); i += 2)
        hash = hash_mix(hash, std::uint64_t{key[i]} << 32U | key[i + 1]);
    WitnessKey& slot = lately_[hash_mix(hash, key.back()) % lately_.size()];
    if (slot == key) return true;
    slot = key;
    return false;
}

std::uint32_t AtomicityWitnesses::standpoint(ProfileId profile, FutureId future) {
    return number_of(standpoints_, {profile.value, future.value});
}

std::uint32_t AtomicityWitnesses::tagged(std::uint32_t standpoint, const AccessTag& first,
                                         const AccessTag& second) {
    if (order_ == nullptr) return standpoint;
    return number_of(tagged_, {standpoint, first.number, second.number});
}

std::uint32_t AtomicityWitnesses::slot_for(Variable& variable, ByteRange bytes) {
    if (variable.context != context_) {
        variable.context = context_;
        variable.slots = kNoTarget;
    }
    for (std::uint32_t at = variable.slots; at != kNoTarget; at = slots_[at].next) {
        if (slots_[at].bytes == bytes) return at;
    }
    slots_.push_back({.bytes = bytes, .next = variable.slots, .first = {}, .last = {}});
    variable.slots = static_cast<std::uint32_t>(slots_.size() - 1);
    return variable.slots;
}

void AtomicityWitnesses::note_access(Thread& thread, const Item& item) {
    Variable& variable = variables_[item.target];
    Slot& slot = slots_[slot_for(variable, item.bytes)];
    const bool writes = writes_memory(item.kind);
    const std::size_t kind = writes ? 1 : 0;
    const EventId last = slot.last[kind];
    for (std::uint32_t at = variable.slots; at != kNoTarget; at = slots_[at].next) {
        for (const std::size_t first_kind : {0U, 1U}) {
            const EventId first = slots_[at].first[first_kind];
            if (!first.valid()) continue;
            // What came before the last access like this one was noted there, with a shorter way to go.
            const bool known = last.valid() && last > first && slot.last_tag[kind].alike(item.tag);
            if (known && slot.last_step[kind] == step_) continue;
            const EventId since = known ? last : first;
            for (auto place = places_.rbegin(); place != places_.rend() && place->end > since; ++place) {
                note_place(thread, {VarId{item.target}, thread.id, place->profile, place->future, first,
                                    item.event, slots_[at].bytes, item.bytes, first_kind == 1, writes,
                                    place->exact, slots_[at].first_tag[first_kind], item.tag});
            }
        }
    }
    slot.note(kind, item.event, item.tag, step_);
}

void AtomicityWitnesses::note_place(Thread& thread, const TransactionWitness& witness) {
    const std::uint32_t accesses = code_of(witness.first_bytes) << 8U | code_of(witness.second_bytes) << 2U |
                                   (witness.first_writes ? 2U : 0U) | (witness.second_writes ? 1U : 0U);
    if (seen_lately({witness.variable.value, witness.thread.value, witness.profile.value,
                     witness.future.value, accesses << 1U | 1U, witness.first_tag.number,
                     witness.second_tag.number + 1})) {
        return;
    }
    const std::uint32_t where =
        tagged(standpoint(witness.profile, witness.future), witness.first_tag, witness.second_tag);
    const GrowingMap::Key key{witness.variable.value, where, accesses};
    if (thread.transactional.find(key) != GrowingMap::kAbsent) return;
    thread.transactional.insert(key, static_cast<std::uint32_t>(transactional_.size()));
    transactional_.push_back(witness);
}

} // namespace heddle
