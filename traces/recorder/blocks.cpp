#include "traces/recorder/blocks.h"

#include "traces/recorder/frames.h"
#include "traces/recorder/heap_header.h"
#include "traces/recorder/late_history.h"
#include "traces/recorder/real_functions.h"
#include "traces/recorder/settings.h"

#include <map>
#include <mutex>

#include <dlfcn.h>

namespace heddle::recorder {

namespace {

constexpr std::size_t kHeaderBytes = 8;
/// In smaller blocks the header is looked for from the variable backwards; the others are in a table.
constexpr std::size_t kLargeBytes = 1024;

struct LargeBlocks {
    SpinLock lock;
    std::map<Address, std::size_t>* sizes = nullptr; ///< by address; made when first used
};
constinit LargeBlocks large;

void add_large(Address block, std::size_t bytes) {
    const std::scoped_lock lock(large.lock);
    if (large.sizes == nullptr) large.sizes = new std::map<Address, std::size_t>;
    large.sizes->insert_or_assign(block, bytes);
}

void remove_large(Address block) {
    const std::scoped_lock lock(large.lock);
    if (large.sizes != nullptr) large.sizes->erase(block);
}

/// The large block that an address lies in, or 0.
Address find_large(Address address) {
    const std::scoped_lock lock(large.lock);
    if (large.sizes == nullptr) return 0;
    const auto after = large.sizes->upper_bound(address);
    if (after == large.sizes->begin()) return 0;
    const auto& [block, size] = *std::prev(after);
    return address - block < size ? block : 0;
}

struct FoundBlock {
    Address address = 0;
    Cell* header = nullptr; ///< nothing: the address lies in no heap block that is known
};

FoundBlock block_at(Address block) noexcept {
    Cell* cell = shadow.known_cell(block - kHeaderBytes);
    return {block, cell != nullptr && HeapHeader::is_header(*cell) ? cell : nullptr};
}

FoundBlock find_heap_block(Address address) noexcept {
    Address at = address & ~Address{7};
    for (std::size_t steps = 0; steps < kLargeBytes / 8; ++steps, at -= 8) {
        const FoundBlock block = block_at(at);
        if (block.header == nullptr) continue;
        if (address - at < HeapHeader(*block.header).block().size) return block;
        return {};
    }
    const Address block = find_large(address);
    return block == 0 ? FoundBlock{} : block_at(block);
}

/// Its identity; from now on the trace tells of the block.
std::uint32_t tell(const FoundBlock& found) noexcept {
    HeapHeader header(*found.header);
    const HeapBlock block = header.block();
    if (header.is_told()) return block.identity;
    shared_identities.add(block.identity);
    if (header.tell(block.identity)) {
        add_late_alloc({.block = found.address,
                        .size = block.size,
                        .identity = block.identity,
                        .thread = block.thread,
                        .stamp = block.stamp,
                        .stack = block.stack});
    }
    return block.identity;
}

/// Whether the address lies in the block that the thread told last, and nobody has freed it.
bool is_in_told_block(const ThreadState& state, Address address) noexcept {
    const ToldBlock& last = state.told_block;
    return address - last.address < last.size &&
           last.header->identity.load(std::memory_order_acquire) == last.identity;
}

/// The identity of the block that an address lies in; 0 if there is none, or none that is known.
std::uint32_t told_block_of(ThreadState& state, Address address) noexcept {
    if (is_in_told_block(state, address)) return state.told_block.identity;
    if (on_own_stack(state, address)) return tell_frame(state, address);
    dl_find_object library{};
    if (::_dl_find_object(reinterpret_cast<void*>(address), &library) == 0) return 0; // a global variable
    const FoundBlock heap = find_heap_block(address);
    if (heap.header == nullptr) return tell_frame(state, address);
    const std::uint32_t identity = tell(heap);
    const std::uint64_t size = HeapHeader(*heap.header).block().size;
    if (size >= kLargeBytes) state.told_block = {heap.address, size, identity, heap.header};
    return identity;
}

/// Other allocators may have a variable where the C library keeps a block's size.
bool is_c_library_heap() noexcept {
    return real().malloc == real().__libc_malloc;
}

} // namespace

void block_allocated(ThreadState& state, Address block, std::size_t bytes, Address place) noexcept {
    if (block == 0 || !is_c_library_heap()) return;
    if (state.thread >= HeapHeader::kMaxThread || state.stamp / kEpoch >= HeapHeader::kMaxEpoch) return;
    Cell* cell = shadow.cell(block - kHeaderBytes);
    if (cell == nullptr) return;
    const Inside inside(state);
    make_room(state, 2);
    const std::uint32_t identity = new_identity(state);
    const StackNode stack = state.calls.node_of(place);
    const bool full = settings().full;
    if (full) {
        put_stamp(state);
    } else {
        put_kept_stamp(state);
    }
    HeapHeader(*cell).describe(
        {.identity = identity, .size = bytes, .stack = stack, .thread = state.thread, .stamp = state.stamp},
        full ? HeapHeader::kTold : 0);
    if (bytes >= kLargeBytes) add_large(block, bytes);
    ++state.synchronisations_seen;
    put(state,
        {Record::head_of(EventKind::alloc, block) | (full ? 0 : Record::kOwned), stack, identity, bytes});
}

void block_freed(ThreadState* state, Address block, Address place) noexcept {
    const FoundBlock found = block_at(block);
    if (found.header == nullptr) return;
    const HeapHeader header(*found.header);
    const HeapBlock content = header.block();
    if (state != nullptr) {
        const Inside inside(*state);
        if (content.size >= kLargeBytes) remove_large(block);
        if (header.is_told())
            record_synchronisation(*state, EventKind::free, {content.identity, block}, place);
    }
    shadow.forget(block - kHeaderBytes, kHeaderBytes);
}

void link_to_block(ThreadState& state, ObjectKind kind, std::uint32_t key, Address address) noexcept {
    const std::uint32_t block = told_block_of(state, address);
    if (block == 0) return;
    put(state, {.head = std::uint64_t{Record::kLink} << 48U | (address & Record::kAddressMask),
                .stack = static_cast<std::uint32_t>(kind),
                .target = key,
                .value = block});
}

bool is_told_now(const Record& record, std::uint32_t thread, std::uint64_t stamp) noexcept {
    if (shared_identities.contains(record.target)) return true;
    const FoundBlock found = block_at(record.address());
    if (found.header == nullptr || HeapHeader(*found.header).block().identity != record.target) {
        return shared_identities.contains(record.target); // told in the last moment of its life
    }
    return HeapHeader(*found.header).buffer_goes(thread, stamp);
}

void forget_blocks() noexcept {
    // Another thread may have been using the table: it is left as it is.
    large.lock.reset();
    large.sizes = nullptr;
}

} // namespace heddle::recorder
