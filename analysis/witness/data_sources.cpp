#include "analysis/witness/data_sources.h"

#include "analysis/witness/data_order.h"
#include "traces/hash.h"

#include <algorithm>
#include <iterator>

namespace heddle {

namespace {

/// Writes of a thread that are looked at to find another source of one read.
constexpr std::ptrdiff_t kMaxSources = 64;
constexpr std::uint32_t kSeveral = 0xFFFF'FFFE;

constexpr unsigned mask_of(ByteRange bytes) {
    return ((1U << bytes.size) - 1U) << bytes.offset;
}

std::uint64_t part_of(std::uint64_t value, ByteRange access, ByteRange part) {
    const std::uint64_t shifted = value >> (8U * (part.offset - access.offset));
    return part.size == 8 ? shifted : shifted & ((std::uint64_t{1} << (8U * part.size)) - 1U);
}

/// Keys of different values may be the same: then the values count as repeated.
GrowingMap::Key key(const EventView& access, std::uint64_t value) {
    GrowingMap::Key result(hash_mix(access.bytes().offset, value));
    result.extra = access.target();
    return result;
}

/// The write whose bytes a read saw there; or none. Writes cover the part or nothing of it.
EventId seen_by(const RunIndex& index, const EventView& read, ByteRange part) {
    return index.write_before(read.variable(), read.id(), mask_of(part));
}

} // namespace

DataSources::DataSources(const Trace& trace, const RunIndex& index, std::span<const std::uint32_t> positions)
    : variables_(trace.objects(ObjectKind::variable).size()) {
    for (const EventView event : trace.events())
        if (writes_memory(event.kind()) && index.shared(event.variable()))
            add(trace, event, positions[event.id().value]);
}

void DataSources::add(const Trace& trace, const EventView& write, std::uint32_t position) {
    std::vector<Column>& columns = variables_[write.target()];
    auto column = std::ranges::find_if(columns, [&](const Column& one) {
        return one.thread == write.thread() && one.bytes == write.bytes();
    });
    if (column == columns.end()) {
        column = std::ranges::find(columns, write.thread(), &Column::thread);
        column = columns.insert(column, {write.thread(), write.bytes(), {}});
    }
    if (!write.has_value()) {
        column->writes.push_back({write.id(), position});
        return;
    }
    const std::uint64_t value = trace.value_of(write);
    column->writes.push_back({write.id(), position, value, true});
    std::uint32_t& writer = values_.find_or_insert(key(write, value), write.id().value);
    if (writer != write.id().value) writer = kSeveral;
}

/// It has a value, and no write covers only a part of its bytes or more than them.
bool DataSources::comparable(const EventView& read) const {
    return read.has_value() && std::ranges::all_of(variables_[read.target()], [&](const Column& column) {
               return column.bytes == read.bytes() || !column.bytes.overlaps(read.bytes());
           });
}

bool DataSources::unique(const Trace& trace, const RunIndex& index, const EventView& read) const {
    if (!comparable(read)) return false;
    const std::uint64_t value = trace.value_read_by(read);
    const std::uint32_t writer = values_.find(key(read, value));
    return (writer == GrowingMap::kAbsent || writer == seen_by(index, read, read.bytes()).value) &&
           index.first_content(read.variable(), read.bytes()) != value;
}

std::uint8_t DataSources::only_source(const DataOrder& order, const Trace& trace, const RunIndex& index,
                                      const EventView& read) const {
    const auto alone = [&](ByteRange part) {
        const DataOrder::Place place = order.place(trace, read.id());
        return only_source(order, index, read,
                           {place.thread, place.index, part,
                            part_of(trace.value_read_by(read), read.bytes(), part),
                            seen_by(index, read, part)});
    };
    if (comparable(read))
        return alone(read.bytes()) ? static_cast<std::uint8_t>(mask_of(read.bytes())) : std::uint8_t{0};
    unsigned result = 0;
    for (unsigned byte = 0; byte < read.bytes().size; ++byte) {
        const ByteRange one{static_cast<std::uint8_t>(read.bytes().offset + byte), 1};
        if (alone(one)) result |= mask_of(one);
    }
    return static_cast<std::uint8_t>(result);
}

bool DataSources::could_serve(const Write& write, ByteRange bytes, const Search& search) {
    return write.known && write.event != search.seen &&
           part_of(write.value, bytes, search.part) == search.value;
}

bool DataSources::hides(const DataOrder& order, const Last& later, const Last& earlier, ByteRange part) {
    return later.bytes.offset <= part.offset &&
           later.bytes.offset + later.bytes.size >= part.offset + part.size &&
           order.needed(later.thread, later.write->index, earlier.thread) > earlier.write->index;
}

/// A write that comes after the read in the order, or that another one hides from it, is no source.
bool DataSources::only_source(const DataOrder& order, const RunIndex& index, const EventView& read,
                              const Search& search) const {
    const std::vector<Column>& columns = variables_[read.target()];
    std::vector<Last> lasts;
    for (std::size_t begin = 0, end = 0; begin < columns.size(); begin = end) {
        const ThreadId thread = columns[begin].thread;
        while (end < columns.size() && columns[end].thread == thread) ++end;
        const bool own = thread == search.thread;
        const std::uint32_t before = own ? search.index : order.needed(search.thread, search.index, thread);
        const std::uint32_t after = own ? before : order.least_needing(thread, search.thread, search.index);
        Last last{thread};
        for (std::size_t k = begin; k < end; ++k) {
            if (!columns[k].bytes.overlaps(search.part)) continue;
            const std::vector<Write>& writes = columns[k].writes;
            const auto next = std::ranges::lower_bound(writes, before, {}, &Write::index);
            if (next != writes.begin() &&
                (last.write == nullptr || last.write->index < std::prev(next)->index))
                last = {thread, columns[k].bytes, &*std::prev(next)};
            for (auto write = next; write != writes.end() && write->index + 1 < after; ++write)
                if (write - next == kMaxSources || could_serve(*write, columns[k].bytes, search))
                    return false;
        }
        if (last.write != nullptr) lasts.push_back(last);
    }
    // What memory held at first is hidden by any.
    if (lasts.empty()) return index.first_content(read.variable(), search.part) != search.value;
    return std::ranges::all_of(lasts, [&](const Last& last) {
        return !could_serve(*last.write, last.bytes, search) ||
               std::ranges::any_of(lasts,
                                   [&](const Last& later) { return hides(order, later, last, search.part); });
    });
}

} // namespace heddle
