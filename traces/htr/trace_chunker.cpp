#include "traces/htr/trace_chunker.h"

#include "traces/hash.h"

#include <bit>

namespace heddle::htr {

void TraceChunker::start_chunk(ChunkEncoder& encoder) {
    encoder.reset();
    encoder_ = &encoder;
    strings_.start_chunk();
    modules_.start_chunk();
    places_.start_chunk();
    stacks_.start_chunk();
    for (LocalNumbers& numbers : objects_) numbers.start_chunk();
    site_index_ = {};
    sites_.clear();
}

std::uint32_t TraceChunker::string(StringId id) {
    if (id.value == 0) return 0;
    if (const auto known = strings_.find(id.value)) return *known;
    return strings_.set(id.value, encoder_->add_string(trace_.string(id)));
}

std::uint32_t TraceChunker::module(ModuleId id) {
    if (const auto known = modules_.find(id.value)) return *known;
    const Module& row = trace_.modules()[id.value];
    const ModuleEntry entry{
        .path = string(row.path), .build_id = string(row.build_id), .base = row.base, .size = row.size};
    return modules_.set(id.value, encoder_->add_module(entry));
}

std::uint32_t TraceChunker::place(PlaceId id) {
    if (const auto known = places_.find(id.value)) return *known;
    const Place& row = trace_.places()[id.value];
    PlaceEntry entry{.label = string(row.label),
                     .function = string(row.function),
                     .file = string(row.file),
                     .line = row.line,
                     .column = row.column,
                     .offset = row.offset};
    if (row.module.valid()) entry.module = module(row.module);
    return places_.set(id.value, encoder_->add_place(entry));
}

std::uint32_t TraceChunker::stack(StackId id) {
    // Outermost frame first, without recursion: a stack may be very deep.
    std::vector<StackId> missing;
    for (StackId at = id; at.valid() && !stacks_.find(at.value); at = trace_.stacks()[at.value].caller) {
        missing.push_back(at);
    }
    while (!missing.empty()) {
        const StackId at = missing.back();
        missing.pop_back();
        const Stack& row = trace_.stacks()[at.value];
        const auto caller = row.caller.valid() ? stacks_.find(row.caller.value) : std::nullopt;
        stacks_.set(at.value, encoder_->add_stack(place(row.place), caller));
    }
    return *stacks_.find(id.value);
}

std::uint32_t TraceChunker::object(ObjectKind kind, std::uint32_t id) {
    LocalNumbers& numbers = objects_[static_cast<std::size_t>(kind)];
    if (const auto known = numbers.find(id)) return *known;
    if (objects_known_) return numbers.set(id, encoder_->add_object(kind, {.key = id}));
    const Object& row = trace_.objects(kind)[id];
    ObjectEntry entry{.key = id, .address = row.address, .size = row.size};
    if (row.name.value != 0) entry.name = string(row.name);
    if (row.block.valid()) {
        object(ObjectKind::block, row.block.value);
        entry.block = row.block.value;
    }
    return numbers.set(id, encoder_->add_object(kind, entry));
}

std::uint32_t TraceChunker::site(EventHead head) {
    const auto bits = std::bit_cast<std::uint64_t>(head);
    const std::uint64_t hash = hash_mix(0, bits);
    const std::uint32_t found =
        site_index_.find(hash, [&](std::uint32_t row) { return sites_[row] == head; });
    if (found != HashIndex::kAbsent) return found;
    SiteEntry entry{
        .kind = head.kind(), .order = head.order(), .bytes = head.bytes(), .has_value = head.has_value()};
    if (head.stack().valid()) entry.stack = stack(head.stack());
    const std::uint32_t number = encoder_->add_site(entry);
    sites_.push_back(head);
    site_index_.insert(hash, number);
    return number;
}

void TraceChunker::event(const EventView& event, std::uint64_t stamp) {
    const std::uint32_t thread = object(ObjectKind::thread, event.thread().value);
    const std::uint32_t local_site = site(event.head().with_thread(ThreadId{0U}));
    std::optional<std::uint32_t> target;
    if (event.has_target()) target = object(*traits(event.kind()).target, event.target());
    encoder_->add_event(thread, stamp, local_site, target, event.has_value() ? trace_.value_of(event) : 0,
                        event.has_value() ? trace_.value_read_by(event) : 0);
}

} // namespace heddle::htr
