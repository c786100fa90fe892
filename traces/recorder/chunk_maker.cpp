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
    for (PageNumbers& numbers : objects_) numbers.clear();
}

void ChunkMaker::start(const ThreadState& state) {
    start();
    htr::ObjectEntry thread{.key = state.thread, .address = state.os_thread};
    // Readers number threads as they meet them; people count from main, in the order of creation.
    thread.name = encoder_.add_string(state.name[0] != 0 ? std::string(state.name)
                                                         : "T" + std::to_string(state.thread));
    encoder_.describe(ObjectKind::thread, thread);
    own_thread_ = thread_number(state.thread);
}

PageNumbers::Page& ChunkMaker::new_page(ObjectKind kind, std::uint32_t key) {
    encoder_.add_page(kind, key / htr::kKeysPerPage);
    PageNumbers::Page& page = objects_[htr::index_of(kind)].add(key);
    static_assert(htr::kKeysPerPage == 16);
    // Where a variable lies is said once in the file.
    if (kind == ObjectKind::variable) page.seen = told_addresses.sixteen_from(key - key % htr::kKeysPerPage);
    return page;
}

inline PageNumbers::Page& ChunkMaker::page_of(ObjectKind kind, std::uint32_t key) {
    PageNumbers::Page* known = objects_[htr::index_of(kind)].find(key);
    return known != nullptr ? *known : new_page(kind, key);
}

namespace {
/// What events of each kind refer to.
constexpr std::uint8_t kNoTargetKind = 0xFF;
constexpr std::array<std::uint8_t, kEventKinds> kTargetKinds = [] {
    std::array<std::uint8_t, kEventKinds> kinds{};
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const auto target = kKindTraits[i].target;
        kinds[i] = target ? static_cast<std::uint8_t>(*target) : kNoTargetKind;
    }
    return kinds;
}();

[[nodiscard]] constexpr std::uint32_t bit_of(std::uint32_t key) {
    return 1U << key % htr::kKeysPerPage;
}
} // namespace

inline std::uint32_t ChunkMaker::object_number(const Record& record, ObjectKind kind) {
    PageNumbers::Page& page = page_of(kind, record.target);
    if ((page.seen & bit_of(record.target)) == 0) {
        page.seen |= bit_of(record.target);
        describe(record, kind);
    }
    return objects_[htr::index_of(kind)].number_of(page, record.target);
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

std::size_t ChunkMaker::add(ThreadState& state, const Record* from, const Record* to, const Extent& extent) {
    start(state);
    std::uint64_t value_read = 0;
    std::uint64_t stamp = state.flushed_stamp;
    const std::uint64_t last_stamp = extent.last_stamp;
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
        if (stamp > last_stamp) break;
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
        const std::uint8_t kind = kTargetKinds[record->raw_kind()];
        const std::uint32_t target =
            kind == kNoTargetKind ? 0 : object_number(*record, static_cast<ObjectKind>(kind)) + 1;
        encoder_.place_event(own_thread_, placed, site, target);
        if (record->is_told()) {
            encoder_.leave_out(record->value);
        } else if (record->has_value()) {
            encoder_.add_value(site, record->value, value_read);
        }
    }
    state.flushed_stamp = stamp;
    return encoder_.events();
}

std::uint32_t ChunkMaker::thread_number(std::uint32_t thread) {
    const PageNumbers::Page& page = page_of(ObjectKind::thread, thread);
    return objects_[htr::index_of(ObjectKind::thread)].number_of(page, thread);
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

void ChunkMaker::describe(const Record& record, ObjectKind kind) {
    htr::ObjectEntry entry{.key = record.target, .address = record.address()};
    if (kind == ObjectKind::variable) {
        if (!told_addresses.add(record.target)) return;
        entry.address &= ~Address{7};
    }
    if (record.kind() == EventKind::alloc) {
        entry.size = record.value & ~Record::kFrame;
        if ((record.value & Record::kFrame) != 0) entry.name = encoder_.add_string(kFrameName);
    }
    encoder_.describe(kind, entry);
}

void ChunkMaker::add_link(const Record& record) {
    const auto kind = static_cast<ObjectKind>(record.stack);
    encoder_.describe(kind, {.key = record.target, .address = record.address(), .block = record.value});
    page_of(kind, record.target).seen |= bit_of(record.target);
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
                               .is_told = record.is_told(),
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
