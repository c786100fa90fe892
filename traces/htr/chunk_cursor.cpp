#include "traces/htr/chunk_cursor.h"

#include "traces/tried.h"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::htr {

namespace {

/// A column as put_column wrote it; false when its bytes are not there.
bool read_column(ByteReader& in, std::size_t count, std::vector<std::uint32_t>& column) {
    const std::uint8_t planes = in.byte();
    if (planes < 1 || planes > 4) return false;
    const std::span<const std::uint8_t> bytes = in.bytes(count * planes);
    if (!in.ok()) return false;
    column.resize(count);
    for (std::size_t i = 0; i < count; ++i) column[i] = bytes[i];
    for (unsigned plane = 1; plane < planes; ++plane) {
        const std::span<const std::uint8_t> high = bytes.subspan(count * plane, count);
        for (std::size_t i = 0; i < count; ++i)
            column[i] |= static_cast<std::uint32_t>(high[i]) << (8U * plane);
    }
    return true;
}

BlockId block_of_key(FileTables& tables, std::uint64_t key) {
    const std::optional<std::uint32_t> known = tables.find(ObjectKind::block, key);
    return BlockId{known ? *known : tables.add(ObjectKind::block, key, {})};
}

} // namespace

std::string ChunkCursor::open(Bytes payload, const ChunkHeader& header, FileTables& tables) {
    payload_ = std::move(payload);
    ByteReader in(payload_);
    TraceBuilder& builder = tables.builder();
    read_strings(in, builder);
    read_modules(in, builder);
    read_places(in, builder);
    if (std::string problem = read_stacks(in, builder); !problem.empty()) return problem;
    for (const ObjectKind kind : kDictionaryOrder) {
        if (std::string problem = read_objects(in, tables, kind); !problem.empty()) return problem;
    }
    if (!in.ok()) return "its dictionaries are malformed";
    if (std::string problem = read_sites(in); !problem.empty()) return problem;
    if (std::string problem = read_runs(in, header); !problem.empty()) return problem;
    if (!read_column(in, header.events, sites_of_events_) ||
        !read_column(in, header.events, targets_of_events_)) {
        return "its event columns are malformed";
    }
    const auto largest = std::max_element(sites_of_events_.begin(), sites_of_events_.end());
    if (largest != sites_of_events_.end() && *largest >= sites_.size())
        return "an event refers to a missing site";
    values_ = ByteReader(in.bytes(in.count()));
    if (!in.ok()) return "its value column is malformed";
    position_ = 0;
    run_ = 0;
    start_run();
    return {};
}

void ChunkCursor::read_strings(ByteReader& in, TraceBuilder& builder) {
    const std::size_t count = in.count();
    strings_.assign(1, StringId{0U});
    for (std::size_t i = 0; i < count && in.ok(); ++i) strings_.push_back(builder.string(in.text()));
}

void ChunkCursor::read_modules(ByteReader& in, TraceBuilder& builder) {
    const std::size_t count = in.count(4);
    modules_.clear();
    for (std::size_t i = 0; i < count && in.ok(); ++i) {
        const Module module{.path = strings_[in.below(strings_.size())],
                            .build_id = strings_[in.below(strings_.size())],
                            .base = in.number(),
                            .size = in.number()};
        if (in.ok()) modules_.push_back(builder.module(module));
    }
}

void ChunkCursor::read_places(ByteReader& in, TraceBuilder& builder) {
    const std::size_t count = in.count(7);
    places_.clear();
    for (std::size_t i = 0; i < count && in.ok(); ++i) {
        Place place{.label = strings_[in.below(strings_.size())],
                    .function = strings_[in.below(strings_.size())],
                    .file = strings_[in.below(strings_.size())],
                    .line = in.below(0xFFFF'FFFFU),
                    .column = in.below(0xFFFF'FFFFU)};
        const std::uint32_t module = in.below(modules_.size() + 1);
        if (module != 0) place.module = modules_[module - 1];
        place.offset = in.number();
        if (in.ok()) places_.push_back(builder.place(place));
    }
}

std::string ChunkCursor::read_stacks(ByteReader& in, TraceBuilder& builder) {
    const std::size_t count = in.count(2);
    stacks_.clear();
    for (std::size_t i = 0; i < count && in.ok(); ++i) {
        const std::uint32_t place = in.below(places_.size());
        const std::uint32_t caller = in.below(stacks_.size() + 1);
        if (!in.ok()) break;
        if (builder.stack_count() >= EventHead::kMaxStacks) {
            return fmt::format("there are more than {} different call stacks", EventHead::kMaxStacks);
        }
        stacks_.push_back(builder.stack(
            {.place = places_[place], .caller = caller == 0 ? StackId{} : stacks_[caller - 1]}));
    }
    return {};
}

std::string ChunkCursor::read_objects(ByteReader& in, FileTables& tables, ObjectKind kind) {
    std::vector<Target>& targets = objects_[index_of(kind)];
    const std::size_t count = in.count(2);
    targets.assign(1, {});
    std::uint64_t key = 0;
    for (std::size_t i = 0; i < count && in.ok(); ++i) {
        key += unzigzag(in.number());
        const std::uint8_t fields = in.byte();
        const std::uint32_t name = (fields & kHasName) != 0 ? in.below(strings_.size()) : 0;
        const std::uint64_t address = (fields & kHasAddress) != 0 ? in.number() : 0;
        const std::uint64_t size = (fields & kHasSize) != 0 ? in.number() : 0;
        const std::uint64_t block = (fields & kHasBlock) != 0 ? in.number() : 0;
        if (!in.ok()) break;
        const std::optional<std::uint32_t> known = tables.find(kind, key);
        if (known && fields == 0) {
            targets.push_back({*known, 0});
            continue;
        }
        if (!known && kind == ObjectKind::thread && tables.threads_full()) {
            return fmt::format("there are more than {} threads", EventHead::kMaxThreads);
        }
        Object object = known ? tables.builder().object(kind, *known) : Object{};
        if ((fields & kHasName) != 0) object.name = strings_[name];
        if ((fields & kHasAddress) != 0) object.address = address;
        if ((fields & kHasSize) != 0) object.size = size;
        if ((fields & kHasBlock) != 0) object.block = block_of_key(tables, block);
        if (known) tables.builder().redefine(kind, *known, object);
        targets.push_back({known ? *known : tables.add(kind, key, object), 0});
    }
    return {};
}

std::string ChunkCursor::read_sites(ByteReader& in) {
    const std::size_t count = in.count(4);
    sites_.assign(count, {});
    for (std::size_t i = 0; i < count && in.ok(); ++i) {
        if (std::string problem = read_site(in, sites_[i]); !problem.empty()) {
            return fmt::format("site {}: {}", i, problem);
        }
    }
    return in.ok() ? std::string() : "its sites are malformed";
}

std::string ChunkCursor::read_site(ByteReader& in, Site& site) {
    const std::uint8_t kind_number = in.byte();
    const std::uint8_t order_and_value = in.byte();
    const std::uint8_t range = in.byte();
    const std::uint32_t stack = in.below(stacks_.size() + 1);
    if (!in.ok()) return "cut short";
    if (kind_number >= kEventKinds) {
        return fmt::format("event kind {} is unknown: the trace is from a newer heddle", kind_number);
    }
    const auto kind = static_cast<EventKind>(kind_number);
    const KindTraits& about = traits(kind);
    const unsigned order = order_and_value >> 1U;
    const bool has_value = (order_and_value & 1U) != 0;
    const ByteRange bytes{static_cast<std::uint8_t>(range >> 4U), static_cast<std::uint8_t>(range & 15U)};
    if (order >= kMemoryOrders || (order != 0) != about.atomic) return "impossible memory order";
    if (!bytes.valid() || (!is_access(kind) && !bytes.whole())) return "impossible byte range";
    if (has_value && !about.may_carry_value && !may_be_tried(kind))
        return fmt::format("{} events have no value", about.label);

    const bool wide = kind == EventKind::atomic_rmw && has_value && bytes.size > 4;
    site.head = EventHead(kind, static_cast<MemoryOrder>(order), bytes, has_value, wide,
                          stack == 0 ? StackId{} : stacks_[stack - 1]);
    std::vector<Target>& targets = objects_[index_of(about.target.value_or(ObjectKind::thread))];
    site.targets = targets.data();
    if (about.target) {
        site.first_target = about.target_optional ? 0 : 1;
        site.last_target = static_cast<std::uint32_t>(targets.size() - 1);
    }
    return {};
}

std::string ChunkCursor::read_runs(ByteReader& in, const ChunkHeader& header) {
    const std::vector<Target>& threads = objects_[index_of(ObjectKind::thread)];
    const std::size_t count = in.count(3);
    runs_.clear();
    runs_.reserve(count);
    std::uint64_t stamp = header.first_stamp;
    std::uint64_t events = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t thread = in.below(threads.size() - 1);
        const std::uint64_t gap = in.number();
        const std::uint64_t packed = in.number();
        const std::uint64_t length = packed >> 1U;
        const bool same_stamp = (packed & 1U) != 0;
        if (!in.ok() || length == 0 || length > header.events - events) return "its runs are malformed";
        const std::uint64_t first = stamp + gap;
        const std::uint64_t last = same_stamp ? first : first + (length - 1);
        if (first < stamp || last < first || last > header.last_stamp) return "its stamps are out of order";
        runs_.push_back(
            {ThreadId{threads[thread + 1].id}, static_cast<std::uint32_t>(length), first, same_stamp});
        events += length;
        stamp = last;
    }
    return in.ok() && events == header.events ? std::string() : "its runs do not add up to its events";
}

void ChunkCursor::start_run() {
    if (done()) return;
    left_in_run_ = runs_[run_].count;
    next_stamp_ = runs_[run_].first;
}

std::string ChunkCursor::decode_below(std::uint64_t bound, TraceBuilder& builder) {
    while (!done() && next_stamp_ < bound) {
        const Run& run = runs_[run_];
        std::uint64_t count = left_in_run_;
        if (!run.same_stamp) count = std::min(count, bound - next_stamp_);
        if (!decode(static_cast<std::size_t>(count), run.thread, builder)) {
            return "an event has an impossible target or value";
        }
        left_in_run_ -= static_cast<std::uint32_t>(count);
        if (!run.same_stamp) next_stamp_ += count;
        if (left_in_run_ == 0) {
            ++run_;
            start_run();
        }
    }
    return {};
}

bool ChunkCursor::decode(std::size_t count, ThreadId thread, TraceBuilder& builder) {
    ByteReader values = values_; // a local one stays in registers
    while (count > 0) {
        const TraceBuilder::Room room = builder.room(count);
        const std::size_t batch = room.heads.size();
        const std::uint32_t* sites = sites_of_events_.data() + position_;
        const std::uint32_t* targets = targets_of_events_.data() + position_;
        for (std::size_t i = 0; i < batch; ++i) {
            const Site& site = sites_[sites[i]];
            const std::uint32_t number = targets[i];
            if (number < site.first_target || number > site.last_target) return false;
            Target& target = site.targets[number];
            std::uint64_t raw = 0;
            if (site.head.has_value()) {
                raw = target.last_value += unzigzag(values.number());
                if (site.head.kind() == EventKind::atomic_rmw) {
                    target.last_value += unzigzag(values.number());
                    raw = builder.rmw_column(site.head.bytes(), raw, target.last_value).raw;
                }
            }
            room.heads[i] = site.head.with_thread(thread);
            room.targets[i] = target.id;
            room.values[i] = raw;
        }
        if (!values.ok()) return false;
        builder.commit(thread, batch);
        position_ += batch;
        count -= batch;
    }
    values_ = values;
    return true;
}

} // namespace heddle::htr
