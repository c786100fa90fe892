#include "traces/recorder/chunk_maker.h"

#include "traces/recorder/modules.h"
#include "traces/recorder/ownership.h"
#include "traces/recorder/recording.h"
#include "traces/tables.h"

namespace heddle::recorder {

void ChunkMaker::start() {
    encoder_.reset();
    ++chunk_;
    sites_.clear();
    stacks_.clear();
    places_.clear();
    modules_.clear();
    for (DenseIds& ids : objects_) ids.clear();
}

void ChunkMaker::start(const ThreadState& state) {
    start();
    htr::ObjectEntry thread{.key = state.thread, .address = state.os_thread};
    // Readers number threads as they meet them; people count from main, in the order of creation.
    thread.name = encoder_.add_string(state.name[0] != 0 ? std::string(state.name)
                                                         : "T" + std::to_string(state.thread));
    own_thread_ = encoder_.add_object(ObjectKind::thread, thread);
    objects_[static_cast<std::size_t>(ObjectKind::thread)].set(state.thread, own_thread_);
}

inline std::uint32_t ChunkMaker::object_number(const Record& record, ObjectKind kind) {
    const std::uint32_t known = objects_[static_cast<std::size_t>(kind)].find(record.target);
    return known != DenseIds::kAbsent ? known : new_object_number(record, kind);
}

inline std::uint32_t ChunkMaker::site_number(const Record& record) {
    // All of the head but the address above its offset in the granule, and the stack.
    const std::uint64_t what = Record::what(record.head);
    const std::uint64_t key = std::uint64_t{record.stack} << 32U | what;
    Memo& memo =
        site_memos_[(record.stack ^ record.stack >> 10U ^ what << 3U ^ what >> 5U) % site_memos_.size()];
    if (memo.key != key || memo.chunk != chunk_) memo = {key, new_site_number(record, key), chunk_};
    return memo.number;
}

namespace {
/// The history of what lies in the block may begin with a site that is older in the epoch than the block.
void add_early_alloc(const ThreadState& state, const Record& record, std::uint64_t epoch) {
    add_late_alloc({.block = record.address(),
                    .size = record.value,
                    .identity = record.target,
                    .thread = state.thread,
                    .stamp = epoch,
                    .stack = record.stack});
}
} // namespace

std::size_t ChunkMaker::add(ThreadState& state, const Record* from, const Record* to, std::uint64_t& stamp,
                            const Extent& extent) {
    start(state);
    std::uint64_t value_read = 0;
    for (const Record* record = from; record != to; ++record) {
        if (record->raw_kind() >= Record::kFirstOther) [[unlikely]] {
            switch (record->raw_kind()) {
            case Record::kStamp:
                stamp = record->value;
                value_read = std::uint64_t{record->target} << 32U | record->stack;
                break;
            case Record::kLink: add_link(*record); break;
            default: break;
            }
            continue;
        }
        if (record->has_stamp()) stamp = record->value;
        if (stamp > extent.last_stamp) break;
        std::uint64_t placed = stamp;
        if (record->is_owned()) {
            if (settle(state, *record, stamp, extent.live, extent.last) == Settled::dropped) continue;
            placed = state.places.for_stream(stamp);
        } else {
            state.flushed_direct = stamp;
        }
        if (record->is_owned() && record->kind() == EventKind::alloc && placed != epoch_of(stamp)) {
            add_early_alloc(state, *record, epoch_of(stamp));
            continue;
        }
        const std::uint32_t site = site_number(*record);
        std::optional<std::uint32_t> target;
        if (const auto kind = traits(record->kind()).target) target = object_number(*record, *kind);
        encoder_.add_event(own_thread_, placed, site, target, record->value, value_read);
    }
    return encoder_.events();
}

std::uint32_t ChunkMaker::thread_number(std::uint32_t thread) {
    DenseIds& threads = objects_[static_cast<std::size_t>(ObjectKind::thread)];
    if (const std::uint32_t known = threads.find(thread); known != DenseIds::kAbsent) return known;
    const std::uint32_t number = encoder_.add_object(ObjectKind::thread, {.key = thread});
    threads.set(thread, number);
    return number;
}

Result<void> ChunkMaker::write_history(htr::Writer& writer, std::span<const LateEvent> events) {
    start();
    for (const LateEvent& event : events) {
        const Record record{Record::head_of(event.what, event.address), event.stack, event.identity,
                            event.size};
        const std::uint32_t thread = thread_number(event.thread);
        encoder_.add_event(thread, event.stamp, site_number(record),
                           object_number(record, *traits(record.kind()).target), 0, 0);
    }
    return writer.append_history(encoder_, press_);
}

Result<void> ChunkMaker::write(htr::Stream& stream, std::uint64_t next_stamp) {
    return stream.flush(encoder_, press_, next_stamp);
}

std::uint32_t ChunkMaker::new_object_number(const Record& record, ObjectKind kind) {
    htr::ObjectEntry entry{.key = record.target, .address = record.address()};
    if (kind == ObjectKind::variable)
        entry.address = told_addresses.add(record.target) ? record.address() & ~Address{7} : 0;
    if (record.kind() == EventKind::alloc) {
        entry.size = record.value & ~Record::kFrame;
        if ((record.value & Record::kFrame) != 0) entry.name = encoder_.add_string(kFrameName);
    }
    const std::uint32_t number = encoder_.add_object(kind, entry);
    objects_[static_cast<std::size_t>(kind)].set(record.target, number);
    return number;
}

void ChunkMaker::add_link(const Record& record) {
    const auto kind = static_cast<ObjectKind>(record.stack);
    const std::uint32_t number =
        encoder_.add_object(kind, {.key = record.target, .address = record.address(), .block = record.value});
    objects_[static_cast<std::size_t>(kind)].set(record.target, number);
}

std::uint32_t ChunkMaker::new_site_number(const Record& record, std::uint64_t key) {
    std::uint32_t& number = sites_[key];
    if (number == LocalIds::kAbsent) {
        const bool access = is_access(record.kind());
        const std::uint32_t stack = stack_number(record.stack);
        number =
            encoder_.add_site({.kind = record.kind(),
                               .order = record.order(),
                               .bytes = access ? record.bytes() : ByteRange{},
                               .has_value = record.has_value(),
                               .stack = stack == LocalIds::kAbsent ? std::nullopt : std::optional(stack)});
    }
    return number;
}

/// The innermost kMaxFrames calls: a recursion that is deeper than any reader looks is cut off.
std::uint32_t ChunkMaker::stack_number(StackNode node) {
    std::array<StackNode, kMaxFrames> unnumbered;
    std::size_t count = 0;
    std::uint32_t caller = LocalIds::kAbsent;
    for (; node != kNoCaller && count != kMaxFrames; node = call_tree.node(node).caller) {
        caller = stacks_[node];
        if (caller != LocalIds::kAbsent) break;
        unnumbered[count++] = node;
    }
    while (count-- > 0) {
        const std::uint32_t place = place_number(call_tree.node(unnumbered[count]).code_address);
        caller =
            encoder_.add_stack(place, caller == LocalIds::kAbsent ? std::nullopt : std::optional(caller));
        stacks_[unnumbered[count]] = caller;
    }
    return caller;
}

std::uint32_t ChunkMaker::place_number(std::uint64_t code_address) {
    if (const std::uint32_t known = places_[code_address]; known != LocalIds::kAbsent) return known;
    htr::PlaceEntry place{.offset = code_address};
    if (const std::uint32_t module = ModuleTable::find(code_address); module != ModuleTable::kUnknown) {
        place.module = module_number(module);
        place.offset = code_address - ModuleTable::get(module).bias;
    }
    const std::uint32_t number = encoder_.add_place(place);
    places_[code_address] = number;
    return number;
}

std::uint32_t ChunkMaker::module_number(std::uint32_t module) {
    if (const std::uint32_t known = modules_[module]; known != LocalIds::kAbsent) return known;
    const LoadedModule content = ModuleTable::get(module);
    htr::ModuleEntry entry{.base = content.bias, .size = content.end - content.bias};
    entry.path = encoder_.add_string(content.path);
    if (!content.build_id.empty()) entry.build_id = encoder_.add_string(content.build_id);
    const std::uint32_t number = encoder_.add_module(entry);
    modules_[module] = number;
    return number;
}

} // namespace heddle::recorder
