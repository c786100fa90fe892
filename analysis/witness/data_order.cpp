#include "analysis/witness/data_order.h"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <utility>

namespace heddle {

namespace {

/// What is beyond is left out: 128 MiB.
constexpr std::size_t kMaxTicks = std::size_t{32} << 20U;
/// One part of so many is not much.
constexpr std::size_t kNearlyAll = 8;
/// Then all reads that may have other sources are taken to have one.
constexpr std::size_t kMaxRounds = 10;
/// Reads that are looked at in one task.
constexpr std::size_t kPart = 4096;

/// Only events of these kinds, and the first of a thread, have seed edges into them.
bool may_wait(EventKind kind) {
    switch (kind) {
    case EventKind::read:
    case EventKind::write:
    case EventKind::acquire:
    case EventKind::release:
    case EventKind::acquire_shared:
    case EventKind::release_shared: return false;
    default: return true;
    }
}

constexpr unsigned mask_of(ByteRange bytes) {
    return ((1U << bytes.size) - 1U) << bytes.offset;
}

} // namespace

/// One pass over the run that fills the rows of an order.
class DataOrder::Clocks {
  public:
    Clocks(DataOrder& order, const Trace& trace, const SeedEdges& seeds, const RunIndex& index)
        : order_(order), trace_(trace), seeds_(seeds), index_(index), now_(order.width_) {}

    void make() {
        order_.rows_.assign(order_.width_, {});
        order_.ticks_.clear();
        for (const EventView event : trace_.events()) {
            const std::uint32_t before = order_.positions_[event.id().value];
            if (before == 0 || may_wait(event.kind())) take_edges(event, before);
            if (order_.sights_[event.id().value] != 0) take_read(event, before);
        }
    }

  private:
    using Clock = std::vector<std::uint32_t>; ///< by thread: how many of its events come first

    void take_edges(const EventView& event, std::uint32_t before) {
        if (before == 0) {
            // The thread must have been started to stand before its first event.
            add_sources(event, true);
            keep(event.thread().value, 0);
        }
        add_sources(event, false);
        keep(event.thread().value, before + 1);
    }

    void add_sources(const EventView& event, bool only_fork) {
        for (const SeedEdge& edge : seeds_.into(event.id().value)) {
            if (only_fork && edge.kind != SeedKind::fork) continue;
            if (SeedEdges::is_joint(edge.from))
                changed_ = raise(now_[event.thread().value], clock_of(edge.from)) || changed_;
            else
                come_after(event.thread().value, EventId{edge.from});
        }
    }

    /// Of all that a joint waits for. It is asked for only when that is behind.
    const Clock& clock_of(SeedNode joint) {
        if (const auto known = joints_.find(joint); known != joints_.end()) return known->second;
        Clock clock(order_.width_);
        for (const SeedEdge& edge : seeds_.into(joint)) {
            if (SeedEdges::is_joint(edge.from)) {
                raise(clock, clock_of(edge.from));
                continue;
            }
            const ThreadId thread = trace_[EventId{edge.from}].thread();
            const std::uint32_t taken = order_.positions_[edge.from] + 1;
            raise(clock, order_.clock_at(thread, taken));
            clock[thread.value] = std::max(clock[thread.value], taken);
        }
        return joints_.emplace(joint, std::move(clock)).first->second;
    }

    static bool raise(Clock& clock, std::span<const std::uint32_t> by) {
        bool changed = false;
        clock.resize(std::max(clock.size(), by.size()));
        for (std::size_t thread = 0; thread < by.size(); ++thread) {
            changed = changed || by[thread] > clock[thread];
            clock[thread] = std::max(clock[thread], by[thread]);
        }
        return changed;
    }

    /// After the writes that the read saw.
    void take_read(const EventView& read, std::uint32_t before) {
        unsigned missing = order_.sights_[read.id().value];
        for (EventId write = index_.write_before(read.variable(), read.id(), missing); write.valid();
             write = index_.write_before(read.variable(), write, missing)) {
            come_after(read.thread().value, write);
            missing &= ~mask_of(trace_[write].bytes());
        }
        keep(read.thread().value, before + 1);
    }

    void come_after(std::uint32_t thread, EventId source) {
        const ThreadId other = trace_[source].thread();
        if (other.value == thread) return;
        Clock& clock = now_[thread];
        const std::uint32_t taken = order_.positions_[source.value] + 1;
        if (other.value < clock.size() && clock[other.value] >= taken) return; // and all that precedes it
        clock.resize(order_.width_);
        clock[other.value] = taken;
        raise(clock, order_.clock_at(other, taken));
        changed_ = true;
    }

    void keep(std::uint32_t thread, std::uint32_t taken) {
        if (!std::exchange(changed_, false) || order_.ticks_.size() >= kMaxTicks) return;
        order_.rows_[thread].add({taken, order_.ticks_.size()});
        order_.ticks_.insert(order_.ticks_.end(), now_[thread].begin(), now_[thread].end());
    }

    DataOrder& order_;
    const Trace& trace_;
    const SeedEdges& seeds_;
    const RunIndex& index_;
    std::vector<Clock> now_; ///< by thread; empty at first
    std::unordered_map<SeedNode, Clock> joints_;
    bool changed_ = false; ///< the clock of the event's thread
};

class DataOrder::Maker {
  public:
    Maker(DataOrder& order, const Trace& trace, const SeedEdges& seeds, const RunIndex& index,
          const Workers& workers)
        : order_(order), trace_(trace), seeds_(seeds), index_(index), workers_(workers),
          sources_(trace, index, order.positions_) {}

    [[nodiscard]] DataSources make() {
        for (const EventView event : trace_.events()) {
            if (!reads_memory(event.kind()) || !index_.shared(event.variable()) || comes_late(event))
                continue;
            // A read without a value has to see the same write anyway.
            if (event.has_value() && !sources_.unique(trace_, index_, event)) {
                doubtful_.push_back(event.id());
            } else {
                order_.sights_[event.id().value] = all_bytes_of(event);
            }
        }
        sources_.forget_values();
        set_clocks();
        std::erase_if(doubtful_, [&](EventId read) { return comes_late(trace_[read]); });
        if (!add_to_certain()) justify_all();
        return std::move(sources_);
    }

  private:
    [[nodiscard]] static std::uint8_t all_bytes_of(const EventView& read) {
        return static_cast<std::uint8_t>(mask_of(read.bytes()));
    }
    void set_clocks() { Clocks(order_, trace_, seeds_, index_).make(); }

    /// The order has the writes that it saw before it anyway.
    [[nodiscard]] bool comes_late(const EventView& read) const {
        const Place place = order_.place(trace_, read.id());
        unsigned missing = mask_of(read.bytes());
        for (EventId write = index_.write_before(read.variable(), read.id(), missing); write.valid();
             write = index_.write_before(read.variable(), write, missing)) {
            const EventView event = trace_[write];
            if (event.thread() != place.thread &&
                order_.needed(place.thread, place.index, event.thread()) <= order_.positions_[write.value])
                return false;
            missing &= ~mask_of(event.bytes());
        }
        return true;
    }

    /// Replaces what is known of each doubtful read by what `look` says.
    template<typename Look>
    void look_at_doubtful(Look look) {
        const std::size_t parts = (doubtful_.size() + kPart - 1) / kPart;
        workers_(parts, [&](std::size_t part) {
            const std::size_t end = std::min(doubtful_.size(), (part + 1) * kPart);
            for (std::size_t k = part * kPart; k < end; ++k) {
                std::uint8_t& sight = order_.sights_[doubtful_[k].value];
                sight = look(trace_[doubtful_[k]], sight);
            }
        });
    }
    [[nodiscard]] std::uint8_t only_source(const EventView& read) const {
        return sources_.only_source(order_, trace_, index_, read);
    }
    [[nodiscard]] std::size_t bytes_in_sight() const {
        std::size_t bytes = 0;
        for (const EventId read : doubtful_)
            bytes += static_cast<std::size_t>(std::popcount(order_.sights_[read.value]));
        return bytes;
    }

    /// As a rule what is certain leaves few sources for the others, and one look finds nearly all that have
    /// none. False: it did not.
    bool add_to_certain() {
        look_at_doubtful([&](const EventView& read, std::uint8_t) { return only_source(read); });
        const auto left = static_cast<std::size_t>(
            std::ranges::count_if(doubtful_, [&](EventId read) { return order_.sights_[read.value] == 0; }));
        if (left > doubtful_.size() / kNearlyAll) return false;
        set_clocks();
        return true;
    }

    /// Supposing that all saw what they saw because nothing else was at hand: which did not? Without those
    /// there may be more. What is left in the end justifies itself.
    void justify_all() {
        look_at_doubtful([](const EventView& read, std::uint8_t) { return all_bytes_of(read); });
        std::size_t before = bytes_in_sight();
        for (std::size_t round = 0; round < kMaxRounds; ++round) {
            set_clocks();
            look_at_doubtful([&](const EventView& read, std::uint8_t sight) {
                return sight == 0 ? sight : static_cast<std::uint8_t>(sight & only_source(read));
            });
            if (std::exchange(before, bytes_in_sight()) == bytes_in_sight()) return;
        }
        look_at_doubtful([](const EventView&, std::uint8_t) { return std::uint8_t{0}; });
        set_clocks();
    }

    DataOrder& order_;
    const Trace& trace_;
    const SeedEdges& seeds_;
    const RunIndex& index_;
    const Workers& workers_;
    DataSources sources_;
    std::vector<EventId> doubtful_; ///< reads that may have other sources, and that the order may change for
};

DataOrder::DataOrder(const Trace& trace, const SeedEdges& seeds, const RunIndex& index,
                     const Workers& workers)
    : width_(trace.thread_count()), rows_(width_), positions_(trace.size()), sights_(trace.size()) {
    std::vector<std::uint32_t> taken(width_);
    for (const EventView event : trace.events()) positions_[event.id().value] = taken[event.thread().value]++;
    sources_.emplace(Maker(*this, trace, seeds, index, workers).make());
}

std::size_t DataOrder::Rows::count_up_to(std::uint32_t taken) const {
    const std::size_t block = taken / kBlock;
    const auto begin = block < blocks.size() ? rows.begin() + blocks[block] : rows.end();
    const auto end = block + 1 < blocks.size() ? rows.begin() + blocks[block + 1] : rows.end();
    const auto after = std::upper_bound(
        begin, end, taken, [](std::uint32_t bound, const Row& row) { return bound < row.taken; });
    return static_cast<std::size_t>(after - rows.begin());
}

void DataOrder::Rows::add(const Row& row) {
    while (blocks.size() <= row.taken / kBlock) blocks.push_back(static_cast<std::uint32_t>(rows.size()));
    rows.push_back(row);
}

std::span<const std::uint32_t> DataOrder::clock_at(ThreadId thread, std::uint32_t taken) const {
    const Rows& rows = rows_[thread.value];
    const std::size_t count = rows.count_up_to(taken);
    if (count == 0) return {};
    return std::span(ticks_).subspan(rows.rows[count - 1].first, width_);
}

std::uint32_t DataOrder::least_needing(ThreadId thread, ThreadId other, std::uint32_t more_than) const {
    const std::vector<Row>& rows = rows_[thread.value].rows;
    const auto row = std::ranges::upper_bound(
        rows, more_than, {}, [&](const Row& one) { return ticks_[one.first + other.value]; });
    return row == rows.end() ? 0xFFFF'FFFF : row->taken;
}

std::uint8_t DataOrder::fixed_bytes(const Trace& trace, const RunIndex& index, EventId read) const {
    const EventView event = trace[read];
    if (!event.has_value()) return static_cast<std::uint8_t>(mask_of(event.bytes()));
    if (sights_[read.value] != 0) return sights_[read.value];
    return sources_->only_source(*this, trace, index, event);
}

bool DataOrder::allows(const Trace& trace, const Property& property) const {
    if (const auto* violation = std::get_if<AtomicityViolation>(&property))
        return may_separate(place(trace, violation->first), place(trace, violation->remote),
                            place(trace, violation->second));
    std::vector<Place> places;
    for (const EventId event : events_of(property)) places.push_back(place(trace, event));
    for (std::size_t i = 0; i < places.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (!may_meet(places[i], places[k])) return false;
    return true;
}

} // namespace heddle
