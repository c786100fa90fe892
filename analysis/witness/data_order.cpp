#include "analysis/witness/data_order.h"

#include "analysis/interner.h"
#include "traces/hash.h"

#include <algorithm>
#include <iterator>
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
/// Writes that are looked at to find another source of one read.
constexpr std::size_t kMaxSources = 64;

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

/// By event: the bytes of a read, a bit each, whose writers have to come before it.
using Sights = std::vector<std::uint8_t>;

} // namespace

/// Which writes could give a read the value that it saw.
class DataOrder::Sources {
  public:
    Sources(const DataOrder& order, const Trace& trace, const RunIndex& index)
        : order_(order), trace_(trace), index_(index),
          variables_(trace.objects(ObjectKind::variable).size()) {
        for (const EventView event : trace.events())
            if (writes_memory(event.kind()) && index.shared(event.variable())) add(event);
    }

    /// Whether no other write of the run has the value, or memory at first.
    [[nodiscard]] bool unique(const EventView& read) const {
        if (!comparable(read)) return false;
        const std::uint64_t value = trace_.value_read_by(read);
        const std::uint32_t writer = values_.find(key(read, value));
        return (writer == GrowingMap::kAbsent || writer == seen_by(read, read.bytes()).value) &&
               index_.first_content(read.variable(), read.bytes()) != value;
    }

    /// The bytes of a read for which the order as it is leaves no other source than the write that it saw.
    [[nodiscard]] std::uint8_t only_source(const EventView& read) const {
        if (comparable(read))
            return only_source(read, read.bytes()) ? static_cast<std::uint8_t>(mask_of(read.bytes()))
                                                   : std::uint8_t{0};
        unsigned result = 0;
        for (unsigned byte = 0; byte < read.bytes().size; ++byte) {
            const ByteRange one{static_cast<std::uint8_t>(read.bytes().offset + byte), 1};
            if (only_source(read, one)) result |= mask_of(one);
        }
        return static_cast<std::uint8_t>(result);
    }

  private:
    struct Write {
        EventId event;
        std::uint32_t index = 0; ///< in its thread
    };
    /// A thread's writes to some bytes of a variable.
    struct Column {
        ThreadId thread;
        ByteRange bytes;
        std::vector<Write> writes;
    };
    static constexpr std::uint32_t kSeveral = 0xFFFF'FFFE;

    /// Keys of different values may be the same: then the values count as repeated.
    static GrowingMap::Key key(const EventView& access, std::uint64_t value) {
        GrowingMap::Key result(hash_mix(access.bytes().offset, value));
        result.extra = access.target();
        return result;
    }

    void add(const EventView& write) {
        std::vector<Column>& columns = variables_[write.target()];
        auto column = std::ranges::find_if(columns, [&](const Column& one) {
            return one.thread == write.thread() && one.bytes == write.bytes();
        });
        if (column == columns.end()) {
            // Next to others of the thread.
            column = std::ranges::find(columns, write.thread(), &Column::thread);
            column = columns.insert(column, {write.thread(), write.bytes(), {}});
        }
        column->writes.push_back({write.id(), order_.positions_[write.id().value]});
        if (!write.has_value()) return;
        std::uint32_t& writer = values_.find_or_insert(key(write, trace_.value_of(write)), write.id().value);
        if (writer != write.id().value) writer = kSeveral;
    }
    /// It has a value, and no write covers only a part of its bytes or more than them.
    [[nodiscard]] bool comparable(const EventView& read) const {
        return read.has_value() && std::ranges::all_of(variables_[read.target()], [&](const Column& column) {
                   return column.bytes == read.bytes() || !column.bytes.overlaps(read.bytes());
               });
    }
    /// The write whose bytes a read saw there; or none. Writes cover the part or nothing of it.
    [[nodiscard]] EventId seen_by(const EventView& read, ByteRange part) const {
        EventId write = index_.write_before(read.id());
        while (write.valid() && !trace_[write].bytes().overlaps(part)) write = index_.write_before(write);
        return write;
    }
    static std::uint64_t part_of(std::uint64_t value, ByteRange access, ByteRange part) {
        const std::uint64_t shifted = value >> (8U * (part.offset - access.offset));
        return part.size == 8 ? shifted : shifted & ((std::uint64_t{1} << (8U * part.size)) - 1U);
    }

    /// What a read looks for in some of its bytes.
    struct Search {
        Place read;
        ByteRange part;
        std::uint64_t value = 0;
        EventId seen;
    };
    [[nodiscard]] bool could_serve(const Write& write, const Search& search) const {
        if (write.event == search.seen) return false;
        const EventView event = trace_[write.event];
        return event.has_value() &&
               part_of(trace_.value_of(event), event.bytes(), search.part) == search.value;
    }

    /// A write that comes after the read in the order, or that another one of its thread hides from it, is no
    /// source.
    [[nodiscard]] bool only_source(const EventView& read, ByteRange part) const {
        const Search search{order_.place(trace_, read.id()), part,
                            part_of(trace_.value_read_by(read), read.bytes(), part), seen_by(read, part)};
        const auto clock = order_.clock_at(search.read.thread, search.read.index);
        const std::vector<Column>& columns = variables_[read.target()];
        bool hidden = false; // what memory held at first
        // Columns of one thread follow each other.
        for (std::size_t begin = 0, end = 0; begin < columns.size(); begin = end) {
            const ThreadId thread = columns[begin].thread;
            while (end < columns.size() && columns[end].thread == thread) ++end;
            const std::uint32_t before = thread == search.read.thread ? search.read.index
                                         : clock.empty()              ? 0
                                                                      : clock[thread.value];
            const Write* last = nullptr; // of those that come before the read
            for (std::size_t k = begin; k < end; ++k) {
                if (!columns[k].bytes.overlaps(part)) continue;
                const std::vector<Write>& writes = columns[k].writes;
                const auto next = std::ranges::lower_bound(writes, before, {}, &Write::index);
                if (next != writes.begin() && (last == nullptr || last->index < std::prev(next)->index))
                    last = &*std::prev(next);
                if (thread != search.read.thread && any_later({next, writes.end()}, thread, search))
                    return false;
            }
            hidden = hidden || last != nullptr;
            if (last != nullptr && could_serve(*last, search)) return false;
        }
        return hidden || index_.first_content(read.variable(), part) != search.value;
    }

    /// Whether one of these, which need not come before the read, need not come after it either and serves.
    [[nodiscard]] bool any_later(std::span<const Write> writes, ThreadId thread, const Search& search) const {
        for (std::size_t k = 0; k < writes.size(); ++k) {
            if (order_.needed(thread, writes[k].index + 1, search.read.thread) > search.read.index)
                return false;
            if (k == kMaxSources || could_serve(writes[k], search)) return true;
        }
        return false;
    }

    const DataOrder& order_;
    const Trace& trace_;
    const RunIndex& index_;
    std::vector<std::vector<Column>> variables_;
    GrowingMap values_; ///< by variable, bytes and value: who writes it, or kSeveral
};

/// One pass over the run that fills the rows of an order.
class DataOrder::Clocks {
  public:
    Clocks(DataOrder& order, const Trace& trace, const SeedEdges& seeds, const RunIndex& index,
           const Sights& sights)
        : order_(order), trace_(trace), seeds_(seeds), index_(index), sights_(sights), now_(order.width_) {}

    void make() {
        order_.rows_.assign(order_.width_, {});
        order_.ticks_.clear();
        for (const EventView event : trace_.events()) {
            const std::uint32_t before = order_.positions_[event.id().value];
            if (before == 0 || may_wait(event.kind())) take_edges(event, before);
            if (sights_[event.id().value] != 0) take_read(event, before);
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
        unsigned missing = sights_[read.id().value];
        for (EventId write = index_.write_before(read.id()); write.valid() && missing != 0;
             write = index_.write_before(write)) {
            const unsigned written = mask_of(trace_[write].bytes());
            if ((missing & written) != 0) come_after(read.thread().value, write);
            missing &= ~written;
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
        order_.rows_[thread].push_back({taken, order_.ticks_.size()});
        order_.ticks_.insert(order_.ticks_.end(), now_[thread].begin(), now_[thread].end());
    }

    DataOrder& order_;
    const Trace& trace_;
    const SeedEdges& seeds_;
    const RunIndex& index_;
    const Sights& sights_;
    std::vector<Clock> now_; ///< by thread; empty at first
    std::unordered_map<SeedNode, Clock> joints_;
    bool changed_ = false; ///< the clock of the event's thread
};

class DataOrder::Maker {
  public:
    Maker(DataOrder& order, const Trace& trace, const SeedEdges& seeds, const RunIndex& index)
        : order_(order), trace_(trace), seeds_(seeds), index_(index), sources_(order, trace, index),
          sights_(trace.size()) {}

    void make() {
        for (const EventView event : trace_.events()) {
            if (!reads_memory(event.kind()) || !index_.shared(event.variable()) ||
                !index_.write_before(event.id()).valid())
                continue;
            // A read without a value has to see the same write anyway.
            if (event.has_value() && !sources_.unique(event)) {
                doubtful_.push_back(event.id());
            } else {
                sights_[event.id().value] = all_bytes_of(event);
            }
        }
        if (!add_to_certain()) justify_all();
    }

  private:
    [[nodiscard]] static std::uint8_t all_bytes_of(const EventView& read) {
        return static_cast<std::uint8_t>(mask_of(read.bytes()));
    }
    void set_clocks() { Clocks(order_, trace_, seeds_, index_, sights_).make(); }

    /// As a rule what is certain leaves few sources for the others, and one look finds nearly all that have
    /// none. False: it did not.
    bool add_to_certain() {
        set_clocks();
        std::size_t left = 0;
        for (const EventId read : doubtful_) {
            sights_[read.value] = sources_.only_source(trace_[read]);
            left += sights_[read.value] == 0 ? 1U : 0U;
        }
        if (left > doubtful_.size() / kNearlyAll) return false;
        set_clocks();
        return true;
    }

    /// Supposing that all saw what they saw because nothing else was at hand: which did not? Without those
    /// there may be more. What is left in the end justifies itself.
    void justify_all() {
        for (const EventId read : doubtful_) sights_[read.value] = all_bytes_of(trace_[read]);
        for (std::size_t round = 0; round < kMaxRounds; ++round) {
            set_clocks();
            bool changed = false;
            for (const EventId read : doubtful_) {
                std::uint8_t& sight = sights_[read.value];
                if (sight == 0) continue;
                const std::uint8_t before = sight;
                sight &= sources_.only_source(trace_[read]);
                changed = changed || sight != before;
            }
            if (!changed) return;
        }
        for (const EventId read : doubtful_) sights_[read.value] = 0;
        set_clocks();
    }

    DataOrder& order_;
    const Trace& trace_;
    const SeedEdges& seeds_;
    const RunIndex& index_;
    Sources sources_;
    Sights sights_;
    std::vector<EventId> doubtful_; ///< reads that may have other sources
};

DataOrder::DataOrder(const Trace& trace, const SeedEdges& seeds, const RunIndex& index)
    : width_(trace.thread_count()), rows_(width_), positions_(trace.size()) {
    std::vector<std::uint32_t> taken(width_);
    for (const EventView event : trace.events()) positions_[event.id().value] = taken[event.thread().value]++;
    Maker(*this, trace, seeds, index).make();
}

std::span<const std::uint32_t> DataOrder::clock_at(ThreadId thread, std::uint32_t taken) const {
    const std::vector<Row>& rows = rows_[thread.value];
    const auto after = std::ranges::upper_bound(rows, taken, {}, &Row::taken);
    if (after == rows.begin()) return {};
    return std::span(ticks_).subspan(std::prev(after)->first, width_);
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
