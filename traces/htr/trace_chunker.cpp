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
    for (LocalNumbers& pages : pages_) pages.start_chunk();
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
    LocalNumbers& pages = pages_[index_of(kind)];
    const std::uint32_t page = id / kKeysPerPage;
    const auto known = pages.find(page);
    const std::uint32_t first = known ? *known : pages.set(page, encoder_->add_page(kind, page));
    return first + id % kKeysPerPage;
}

void TraceChunker::describe(ObjectKind kind, std::uint32_t id) {
    const Object& row = trace_.objects(kind)[id];
    ObjectEntry entry{.key = id, .address = row.address, .size = row.size};
    if (row.name.value != 0) entry.name = string(row.name);
    if (row.block.valid()) entry.block = row.block.value;
    encoder_->describe(kind, entry);
}

std::uint32_t TraceChunker::site(SiteKey key) {
    const std::uint64_t hash = hash_mix(std::uint64_t{key.is_told}, std::bit_cast<std::uint64_t>(key.head));
    const std::uint32_t found = site_index_.find(hash, [&](std::uint32_t row) { return sites_[row] == key; });
    if (found != HashIndex::kAbsent) return found;
    const EventHead& head = key.head;
    SiteEntry entry{.kind = head.kind(),
                    .order = head.order(),
                    .bytes = head.bytes(),
                    .has_value = head.has_value(),
                    .is_told = key.is_told};
    if (head.stack().valid()) entry.stack = stack(head.stack());
    const std::uint32_t number = encoder_->add_site(entry);
    sites_.push_back(key);
    site_index_.insert(hash, number);
    return number;
}

bool TraceChunker::follow(const EventView& event) {
    if (contents_ == nullptr) return false;
    const std::uint32_t variable = event.target();
    const Contents::Part bytes(event.head().bytes());
    if (!event.has_value()) {
        if (writes_memory(event.kind())) contents_->forget(variable, bytes);
        return false;
    }
    const bool reads = reads_memory(event.kind());
    const bool told = reads && contents_->of(variable, bytes) == trace_.value_read_by(event);
    if (!told || writes_memory(event.kind())) contents_->learn(variable, bytes, trace_.value_of(event));
    return told;
}

void TraceChunker::event(const EventView& event, std::uint64_t stamp) {
    const std::uint32_t thread = object(ObjectKind::thread, event.thread().value);
    const bool told = is_access(event.kind()) && follow(event);
    const std::uint32_t local_site = site({event.head().with_thread(ThreadId{0U}), told});
    std::optional<std::uint32_t> target;
    if (event.has_target()) target = object(*traits(event.kind()).target, event.target());
    encoder_->add_event(thread, stamp, local_site, target, event.has_value() ? trace_.value_of(event) : 0,
                        event.has_value() ? trace_.value_read_by(event) : 0);
}

} // namespace heddle::htr
