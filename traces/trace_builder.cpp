#include "traces/trace_builder.h"

#include "traces/hash.h"

#include <numeric>

namespace heddle {

namespace {

std::uint64_t hash_of_place(const Place& place) {
    std::uint64_t hash = hash_mix(place.label.value, place.function.value);
    hash = hash_mix(hash, place.file.value);
    hash = hash_mix(hash, static_cast<std::uint64_t>(place.line) << 32U | place.column);
    hash = hash_mix(hash, place.module.value);
    return hash_mix(hash, place.offset);
}

/// The row equal to `row`, appended when absent.
template<typename IdType, typename Table, typename Row>
IdType intern_row(Table& table, HashIndex& index, std::uint64_t hash, const Row& row) {
    const std::uint32_t found = index.find(hash, [&](std::uint32_t at) { return table[at] == row; });
    if (found != HashIndex::kAbsent) return IdType{found};
    const IdType id{table.size()};
    table.push_back(row);
    index.insert(hash, id.value);
    return id;
}

} // namespace

Trace TraceBuilder::snapshot() const {
    Trace trace;
    trace.heads_ = heads_.snapshot();
    trace.targets_ = targets_.snapshot();
    trace.values_ = values_.snapshot();
    trace.wide_rmws_ = wide_rmws_.snapshot();
    trace.by_thread_.reserve(by_thread_.size());
    for (const auto& index : by_thread_) trace.by_thread_.push_back(index.snapshot());
    for (std::size_t kind = 0; kind < kObjectKinds; ++kind) trace.objects_[kind] = objects_[kind].snapshot();
    trace.modules_ = modules_.snapshot();
    trace.places_ = places_.snapshot();
    trace.stacks_ = stacks_.snapshot();
    trace.places_for_people_ = places_for_people_.snapshot();
    trace.strings_ = strings_.snapshot();
    trace.string_memory_ = strings_.memory();
    trace.metadata_ = metadata_;
    return trace;
}

EventId TraceBuilder::add(const Event& event) {
    const EventId id{size()};
    std::uint64_t raw = event.value.value_or(0);
    bool wide = false;
    if (event.kind == EventKind::atomic_rmw && event.value) {
        const RmwColumn column = rmw_column(event.bytes, event.value_read, *event.value);
        raw = column.raw;
        wide = column.wide;
    }
    const Room to = room(1);
    to.heads[0] = EventHead(event.kind, event.order, event.bytes, event.value.has_value(), wide, event.stack)
                      .with_thread(event.thread);
    to.targets[0] = event.target;
    to.values[0] = raw;
    commit(event.thread, 1);
    return id;
}

TraceBuilder::Room TraceBuilder::room(std::size_t wanted) {
    return {heads_.space(wanted), targets_.space(wanted), values_.space(wanted)};
}

void TraceBuilder::commit(ThreadId thread, std::size_t count) {
    auto first = static_cast<std::uint32_t>(size());
    heads_.commit(count);
    targets_.commit(count);
    values_.commit(count);
    auto& index = by_thread_[thread.value];
    for (std::size_t left = count; left > 0;) {
        const std::span<std::uint32_t> ids = index.space(left);
        std::iota(ids.begin(), ids.end(), first);
        first += static_cast<std::uint32_t>(ids.size());
        index.commit(ids.size());
        left -= ids.size();
    }
}

TraceBuilder::RmwColumn TraceBuilder::rmw_column(ByteRange bytes, std::uint64_t read, std::uint64_t written) {
    if (bytes.size <= 4) return {(written & 0xFFFF'FFFFU) << 32U | (read & 0xFFFF'FFFFU), false};
    wide_rmws_.push_back({read, written});
    return {wide_rmws_.size() - 1, true};
}

ModuleId TraceBuilder::module(const Module& module) {
    std::uint64_t hash = hash_mix(module.path.value, module.build_id.value);
    hash = hash_mix(hash_mix(hash, module.base), module.size);
    return intern_row<ModuleId>(modules_, module_index_, hash, module);
}

PlaceId TraceBuilder::place(const Place& place) {
    return intern_row<PlaceId>(places_, place_index_, hash_of_place(place), place);
}

StackId TraceBuilder::stack(const Stack& stack) {
    const StackId id =
        intern_row<StackId>(stacks_, stack_index_, hash_mix(stack.place.value, stack.caller.value), stack);
    if (id.value == places_for_people_.size()) {
        const auto told = [&](PlaceId place) {
            return place.valid() && is_for_people(strings_[places_[place.value].file]);
        };
        const PlaceId callers = stack.caller.valid() ? places_for_people_[stack.caller.value] : PlaceId{};
        places_for_people_.push_back(!told(stack.place) && told(callers) ? callers : stack.place);
    }
    return id;
}

std::uint32_t TraceBuilder::add_object(ObjectKind kind, const Object& object) {
    auto& table = objects_[static_cast<std::size_t>(kind)];
    const auto id = static_cast<std::uint32_t>(table.size());
    table.push_back(object);
    if (kind == ObjectKind::thread) by_thread_.emplace_back();
    return id;
}

std::uint32_t TraceBuilder::object_named(ObjectKind kind, std::string_view name) {
    const auto& table = objects_[static_cast<std::size_t>(kind)];
    HashIndex& index = objects_by_name_[static_cast<std::size_t>(kind)];
    const std::uint64_t hash = hash_of(name);
    const std::uint32_t found =
        index.find(hash, [&](std::uint32_t row) { return strings_[table[row].name] == name; });
    if (found != HashIndex::kAbsent) return found;
    const std::uint32_t id = add_object(kind, Object{.name = string(name)});
    index.insert(hash, id);
    return id;
}

void TraceBuilder::redefine(ObjectKind kind, std::uint32_t id, const Object& object) {
    auto& table = objects_[static_cast<std::size_t>(kind)];
    if (table[id] != object) table.replace(id, object);
}

} // namespace heddle
