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

std::string too_many_threads() {
    return fmt::format("there are more than {} threads", EventHead::kMaxThreads);
}

BlockId block_of_key(FileTables& tables, std::uint64_t key) {
    const std::optional<std::uint32_t> known = tables.find(ObjectKind::block, key);
    return BlockId{known ? *known : tables.add(ObjectKind::block, key, {})};
}

} // namespace

std::string ChunkCursor::open(Bytes payload, const ChunkHeader& header, std::uint16_t major,
                              FileTables& tables) {
    payload_ = std::move(payload);
    major_ = major;
    told_ = {};
    told_wanted_ = 0;
    position_ = 0;
    run_ = 0;
    runs_.clear();
    run_events_ = 0;
    run_stamp_ = header.first_stamp;
    ByteReader in(payload_);
    TraceBuilder& builder = tables.builder();
    read_strings(in, builder);
    read_modules(in, builder);
    read_places(in, builder);
    if (std::string problem = read_stacks(in, builder); !problem.empty()) return problem;
    if (major_ == 1) return open_1(in, header, tables);
    for (const ObjectKind kind : kDictionaryOrder) {
        std::string problem = read_pages(in, tables, kind, header.events);
        if (problem.empty()) problem = read_facts(in, tables, kind, nullptr);
        if (!problem.empty()) return problem;
    }
    if (!in.ok()) return "its dictionaries are malformed";
    if (std::string problem = read_sites(in); !problem.empty()) return problem;
    if (std::string problem = read_runs(in, header, tables); !problem.empty()) return problem;
    const std::span<const std::uint8_t> sum = in.bytes(8);
    for (std::size_t byte = 0; byte < sum.size(); ++byte)
        told_wanted_ |= std::uint64_t{sum[byte]} << 8U * byte;
    values_ = ByteReader(in.bytes(in.count()));
    if (!in.ok()) return "its value column is malformed";
    if (std::string problem = read_columns(in, header.events); !problem.empty()) return problem;
    start_run();
    return {};
}

std::string ChunkCursor::read_columns(ByteReader& in, std::size_t events) {
    if (!read_column(in, events, sites_of_events_) || !read_column(in, events, targets_of_events_))
        return "its event columns are malformed";
    const auto largest = std::max_element(sites_of_events_.begin(), sites_of_events_.end());
    if (largest != sites_of_events_.end() && *largest >= sites_.size())
        return "an event refers to a missing site";
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

std::string ChunkCursor::read_pages(ByteReader& in, FileTables& tables, ObjectKind kind, std::size_t most) {
    Objects& objects = objects_[index_of(kind)];
    objects.pages.clear();
    objects.ids.assign(1, kNoTarget);
    const std::size_t count = in.count();
    if (count > most) return "it names more objects than its events refer to";
    std::uint64_t page = 0;
    for (std::size_t i = 0; i < count && in.ok(); ++i) {
        page += unzigzag(in.number());
        if (page > ~std::uint64_t{0} / kKeysPerPage) return "an object's key is too large";
        objects.pages.push_back(page);
        if (const FileTables::Page* known = tables.page(kind, page); known != nullptr) {
            objects.ids.insert(objects.ids.end(), known->begin(), known->end());
        } else {
            objects.ids.insert(objects.ids.end(), kKeysPerPage, kNoTarget);
        }
    }
    return {};
}

/// What is said of objects. `ids`: gets those of the objects, in order.
std::string ChunkCursor::read_facts(ByteReader& in, FileTables& tables, ObjectKind kind,
                                    std::vector<std::uint32_t>* ids) {
    const std::size_t count = in.count(2);
    std::uint64_t key = 0;
    for (std::size_t i = 0; i < count && in.ok(); ++i) {
        key += unzigzag(in.number());
        const std::uint8_t fields = in.byte();
        const std::uint32_t name = (fields & kHasName) != 0 ? in.below(strings_.size()) : 0;
        const std::uint64_t address = (fields & kHasAddress) != 0 ? in.number() : 0;
        const std::uint64_t size = (fields & kHasSize) != 0 ? in.number() : 0;
        const std::uint64_t block = (fields & kHasBlock) != 0 ? in.number() : 0;
        if (!in.ok()) break;
        std::optional<std::uint32_t> id = tables.find(kind, key);
        if (!id && kind == ObjectKind::thread && tables.threads_full()) return too_many_threads();
        if (!id || fields != 0) {
            Object object = id ? tables.builder().object(kind, *id) : Object{};
            if ((fields & kHasName) != 0) object.name = strings_[name];
            if ((fields & kHasAddress) != 0) object.address = address;
            if ((fields & kHasSize) != 0) object.size = size;
            if ((fields & kHasBlock) != 0) object.block = block_of_key(tables, block);
            if (id)
                tables.builder().redefine(kind, *id, object);
            else
                id = tables.add(kind, key, object);
        }
        if (ids != nullptr) ids->push_back(*id);
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
    const unsigned order = order_and_value >> 1U & (major_ == 1 ? 127U : 7U);
    const bool has_value = (order_and_value & kSiteHasValue) != 0;
    const bool is_told = major_ != 1 && (order_and_value & kSiteIsTold) != 0;
    const ByteRange bytes{static_cast<std::uint8_t>(range >> 4U), static_cast<std::uint8_t>(range & 15U)};
    if (order >= kMemoryOrders || (order != 0) != about.atomic) return "impossible memory order";
    if (!bytes.valid() || (!is_access(kind) && !bytes.whole())) return "impossible byte range";
    if (has_value && !about.may_carry_value && !may_be_tried(kind))
        return fmt::format("{} events have no value", about.label);

    if (is_told && !(has_value && reads_memory(kind))) return "a value is left out that nothing could tell";

    const bool wide = kind == EventKind::atomic_rmw && has_value && bytes.size > 4;
    const auto memory_order = static_cast<MemoryOrder>(order);
    const StackId on_stack = stack == 0 ? StackId{} : stacks_[stack - 1];
    site.head = EventHead(kind, memory_order, bytes, has_value, wide, on_stack);
    site.head_without_value = EventHead(kind, memory_order, bytes, false, false, on_stack);
    site.is_told = is_told;
    site.part = Contents::Part(bytes);
    if (has_value) {
        site.role = !is_access(kind)                ? Role::number
                    : kind == EventKind::atomic_rmw ? Role::changes
                    : is_told                       ? Role::told
                                                    : Role::shows;
    } else if (writes_memory(kind)) {
        site.role = Role::forgets;
    }
    Objects& objects = objects_[index_of(about.target.value_or(ObjectKind::thread))];
    site.targets = objects.ids.data();
    if (about.target) {
        site.first_target = about.target_optional ? 0 : 1;
        site.last_target = static_cast<std::uint32_t>(objects.ids.size() - 1);
    }
    return {};
}

std::string ChunkCursor::read_runs(ByteReader& in, const ChunkHeader& header, FileTables& tables) {
    const std::vector<std::uint32_t>& threads = objects_[index_of(ObjectKind::thread)].ids;
    const unsigned shift = in.byte();
    const std::size_t count = in.count(2);
    if (!in.ok() || shift > 63) return "its runs are malformed";
    runs_.reserve(count);
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t packed = in.number();
        if ((packed & kRunOtherThread) != 0) number = in.below(threads.size() - 1);
        const std::uint64_t gap = in.number();
        if (!in.ok() || number + 1 >= threads.size() || gap > ~std::uint64_t{0} >> shift)
            return "its runs are malformed";
        if (threads[number + 1] == kNoTarget && !resolve(ObjectKind::thread, number + 1, tables))
            return too_many_threads();
        if (std::string problem = add_run(threads[number + 1], gap << shift, packed >> 2U,
                                          (packed & kRunSameStamp) != 0, header);
            !problem.empty())
            return problem;
    }
    return in.ok() && run_events_ == header.events ? std::string() : "its runs do not add up to its events";
}

std::string ChunkCursor::add_run(std::uint32_t thread, std::uint64_t gap, std::uint64_t count,
                                 bool same_stamp, const ChunkHeader& header) {
    if (count == 0 || count > header.events - run_events_) return "its runs are malformed";
    const std::uint64_t first = run_stamp_ + gap;
    const std::uint64_t last = same_stamp ? first : first + (count - 1);
    if (first < run_stamp_ || last < first || last > header.last_stamp) return "its stamps are out of order";
    runs_.push_back({ThreadId{thread}, static_cast<std::uint32_t>(count), first, same_stamp});
    run_events_ += count;
    run_stamp_ = last;
    return {};
}

void ChunkCursor::start_run() {
    if (done()) return;
    left_in_run_ = runs_[run_].count;
    next_stamp_ = runs_[run_].first;
}

std::string ChunkCursor::decode_below(std::uint64_t bound, FileTables& tables) {
    while (!done() && next_stamp_ < bound) {
        const Run& run = runs_[run_];
        std::uint64_t count = left_in_run_;
        if (!run.same_stamp) count = std::min(count, bound - next_stamp_);
        const auto now = static_cast<std::size_t>(count);
        if (!(major_ == 1 ? decode_1(now, run.thread, tables.builder()) : decode(now, run.thread, tables)))
            return "an event has an impossible target or value";
        left_in_run_ -= static_cast<std::uint32_t>(count);
        if (!run.same_stamp) next_stamp_ += count;
        if (left_in_run_ == 0) {
            ++run_;
            start_run();
        }
    }
    return {};
}

bool ChunkCursor::resolve(ObjectKind kind, std::uint32_t target, FileTables& tables) {
    Objects& objects = objects_[index_of(kind)];
    const std::uint64_t key =
        objects.pages[(target - 1) / kKeysPerPage] * kKeysPerPage + (target - 1) % kKeysPerPage;
    std::optional<std::uint32_t> id = tables.find(kind, key);
    if (!id && kind == ObjectKind::thread && tables.threads_full()) return false;
    objects.ids[target] = id ? *id : tables.add(kind, key, {});
    return true;
}

std::uint64_t ChunkCursor::change(Site& site, std::uint32_t variable, Told& told, ByteReader& values,
                                  FileTables& tables, EventHead& head) {
    Contents& contents = tables.contents();
    std::optional<std::uint64_t> seen;
    if (site.is_told) {
        told.take(seen = contents.of(variable, site.part));
    } else {
        seen = site.last_value += unzigzag(values.number());
    }
    const std::uint64_t difference = unzigzag(values.number());
    if (!seen) {
        contents.forget(variable, site.part);
        head = site.head_without_value;
        return 0;
    }
    contents.learn(variable, site.part, *seen + difference);
    return tables.builder().rmw_column(site.head.bytes(), *seen, *seen + difference).raw;
}

bool ChunkCursor::decode(std::size_t count, ThreadId thread, FileTables& tables) {
    TraceBuilder& builder = tables.builder();
    Contents& contents = tables.contents();
    ByteReader values = values_; // local ones stay in registers
    Told told = told_;
    while (count > 0) {
        const TraceBuilder::Room room = builder.room(count);
        const std::size_t batch = room.heads.size();
        const std::uint32_t* sites = sites_of_events_.data() + position_;
        const std::uint32_t* targets = targets_of_events_.data() + position_;
        for (std::size_t i = 0; i < batch; ++i) {
            Site& site = sites_[sites[i]];
            const std::uint32_t number = targets[i];
            if (number < site.first_target || number > site.last_target) return false;
            if (site.targets[number] == kNoTarget && number != 0 &&
                !resolve(*traits(site.head.kind()).target, number, tables))
                return false;
            const std::uint32_t id = site.targets[number];
            EventHead head = site.head;
            std::uint64_t raw = 0;
            switch (site.role) {
            case Role::nothing: break;
            case Role::number: raw = site.last_value += unzigzag(values.number()); break;
            case Role::shows:
                raw = site.last_value += unzigzag(values.number());
                contents.learn(id, site.part, raw);
                break;
            case Role::told: {
                const std::optional<std::uint64_t> value = contents.of(id, site.part);
                if (told.take(value))
                    raw = *value;
                else
                    head = site.head_without_value;
                break;
            }
            case Role::forgets: contents.forget(id, site.part); break;
            case Role::changes: raw = change(site, id, told, values, tables, head); break;
            }
            room.heads[i] = head.with_thread(thread);
            room.targets[i] = id;
            room.values[i] = raw;
        }
        if (!values.ok()) return false;
        builder.commit(thread, batch);
        position_ += batch;
        count -= batch;
    }
    values_ = values;
    told_ = told;
    return true;
}

} // namespace heddle::htr
