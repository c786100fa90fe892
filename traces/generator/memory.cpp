#include "traces/generator/memory.h"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

namespace heddle::generator {

namespace {

[[nodiscard]] std::uint64_t mask_of(ByteRange bytes) {
    return ~std::uint64_t{0} >> (64U - bytes.size * 8U);
}

constexpr std::array kLoadOrders = {MemoryOrder::relaxed, MemoryOrder::consume, MemoryOrder::acquire,
                                    MemoryOrder::seq_cst};
constexpr std::array kStoreOrders = {MemoryOrder::relaxed, MemoryOrder::release, MemoryOrder::seq_cst};
constexpr std::array kRmwOrders = {MemoryOrder::relaxed, MemoryOrder::consume, MemoryOrder::acquire,
                                   MemoryOrder::release, MemoryOrder::acq_rel, MemoryOrder::seq_cst};

} // namespace

Memory::Memory(const GeneratorSettings& settings, Random& random)
    : locks_(settings.locks), mixed_sizes_(settings.mixed_sizes), values_(settings.values),
      shared_count_(settings.variables), private_count_(settings.private_variables), slots_(settings.blocks) {
    add(Pool::shared, shared_count_, 0, random);
    first_private_ = static_cast<std::uint32_t>(variables_.size());
    for (std::uint32_t thread = 0; thread < settings.threads; ++thread) {
        add(Pool::secluded, private_count_, thread, random);
    }
    first_atomic_ = static_cast<std::uint32_t>(variables_.size());
    atomic_count_ = settings.atomics > 0 ? settings.variables / 4 + 1 : 0;
    add(Pool::atomic, atomic_count_, 0, random);
    first_once_ = static_cast<std::uint32_t>(variables_.size());
    add(Pool::once, settings.onces, 0, random);
    first_field_ = static_cast<std::uint32_t>(variables_.size());
    for (std::uint32_t slot = 0; slot < settings.blocks; ++slot) add(Pool::field, kMaxFields, slot, random);
}

void Memory::add(Pool pool, std::uint32_t count, std::uint32_t major, Random& random) {
    constexpr std::array<std::uint8_t, 8> kSizes = {8, 8, 8, 4, 4, 4, 2, 1};
    const bool numbered = pool != Pool::secluded && pool != Pool::field;
    for (std::uint32_t i = 0; i < count; ++i) {
        Variable variable{.pool = pool};
        variable.major = numbered ? i : major;
        variable.minor = numbered ? 0 : i;
        variable.guard = variable.major % std::max(1U, locks_);
        variable.size = random.pick(kSizes);
        variables_.push_back(variable);
    }
}

std::optional<VariableNumber> Memory::field(std::uint32_t slot, Random& random) const {
    if (!slots_[slot].block) return std::nullopt;
    return first_field_ + slot * kMaxFields + random.below(slots_[slot].fields);
}

std::optional<VariableNumber> Memory::guarded_by(std::uint32_t lock, Random& random) const {
    const auto slots = static_cast<std::uint32_t>(slots_.size());
    if (lock < slots && random.one_in(3)) {
        const std::uint32_t slot = lock + locks_ * random.below((slots - lock + locks_ - 1) / locks_);
        if (const auto found = field(slot, random)) return found;
    }
    if (lock >= shared_count_) return std::nullopt;
    return lock + locks_ * random.below((shared_count_ - lock + locks_ - 1) / locks_);
}

std::optional<VariableNumber> Memory::shared(Random& random) const {
    if (!slots_.empty() && random.one_in(3)) {
        if (const auto found = field(random.below(static_cast<std::uint32_t>(slots_.size())), random))
            return found;
    }
    if (shared_count_ == 0) return std::nullopt;
    return random.below(shared_count_);
}

std::optional<VariableNumber> Memory::private_of(std::uint32_t thread, Random& random) const {
    if (private_count_ == 0) return std::nullopt;
    return first_private_ + thread * private_count_ + random.below(private_count_);
}

std::optional<VariableNumber> Memory::atomic(Random& random) const {
    if (atomic_count_ == 0) return std::nullopt;
    return first_atomic_ + random.below(atomic_count_);
}

std::uint32_t Memory::row_of(Variable& variable, EventWriter& writer) {
    if (variable.row != kNoTarget) return variable.row;
    BlockId block;
    const std::string name = [&] {
        switch (variable.pool) {
        case Pool::shared: return fmt::format("v{}", variable.major);
        case Pool::secluded: return fmt::format("p{}.{}", variable.major, variable.minor);
        case Pool::atomic: return fmt::format("a{}", variable.major);
        case Pool::once: return fmt::format("g{}", variable.major);
        case Pool::field: {
            const std::uint32_t number = *slots_[variable.major].block;
            block = BlockId{writer.object(ObjectKind::block, number)};
            return fmt::format("b{}.{}", number, variable.minor);
        }
        }
        return std::string();
    }();
    variable.row = writer.variable(name, block);
    return variable.row;
}

ByteRange Memory::choose_bytes(const Variable& variable, Random& random) const {
    if (!mixed_sizes_ || random.one_in(2)) return {0, variable.size};
    const std::uint32_t size = 1U << random.below(static_cast<std::uint32_t>(std::bit_width(variable.size)));
    return {static_cast<std::uint8_t>(random.below(variable.size / size) * size),
            static_cast<std::uint8_t>(size)};
}

std::uint64_t Memory::new_value(std::uint64_t old, ByteRange bytes, Random& random) {
    const std::uint64_t luck = random.next();
    switch (luck >> 60U) {
    case 0: // what looks like a pointer, where there is room for one
        return (0x7F00'0000'0000U | (luck & 0xFF'FFFF'FFF0U)) & mask_of(bytes);
    case 1:
    case 2:
    case 3:
    case 4: return luck & 0xFFU;
    default: return (old + 1) & mask_of(bytes);
    }
}

void Memory::read(std::uint32_t thread, VariableNumber number, EventWriter& writer, Random& random) {
    Variable& variable = variables_[number];
    const ByteRange bytes = choose_bytes(variable, random);
    Event event{.kind = EventKind::read,
                .thread = writer.thread_row(thread),
                .target = row_of(variable, writer),
                .bytes = bytes};
    if (values_) event.value = variable.content >> bytes.offset * 8U & mask_of(bytes);
    writer.add(event, random);
}

void Memory::write(std::uint32_t thread, VariableNumber number, EventWriter& writer, Random& random) {
    Variable& variable = variables_[number];
    const ByteRange bytes = choose_bytes(variable, random);
    const unsigned shift = bytes.offset * 8U;
    const std::uint64_t value = new_value(variable.content >> shift, bytes, random);
    variable.content = (variable.content & ~(mask_of(bytes) << shift)) | value << shift;
    Event event{.kind = EventKind::write,
                .thread = writer.thread_row(thread),
                .target = row_of(variable, writer),
                .bytes = bytes};
    if (values_) event.value = value;
    writer.add(event, random);
}

void Memory::access_atomically(std::uint32_t thread, VariableNumber number, EventWriter& writer,
                               Random& random) {
    Variable& variable = variables_[number];
    const ByteRange bytes = choose_bytes(variable, random);
    const unsigned shift = bytes.offset * 8U;
    const std::uint64_t seen = variable.content >> shift & mask_of(bytes);
    Event event{.thread = writer.thread_row(thread), .target = row_of(variable, writer), .bytes = bytes};
    const std::uint32_t choice = random.below(8);
    if (choice < 4) {
        event.kind = EventKind::atomic_load;
        event.order = random.pick(kLoadOrders);
        if (values_) event.value = seen;
    } else {
        const bool store = choice < 6;
        event.kind = store ? EventKind::atomic_store : EventKind::atomic_rmw;
        event.order = store ? random.pick(kStoreOrders) : random.pick(kRmwOrders);
        const std::uint64_t value = new_value(seen, bytes, random);
        variable.content = (variable.content & ~(mask_of(bytes) << shift)) | value << shift;
        if (values_) event.value = value;
        if (values_ && !store) event.value_read = seen;
    }
    writer.add(event, random);
}

void Memory::allocate_or_free(std::uint32_t thread, std::uint32_t slot, EventWriter& writer, Random& random) {
    Slot& place = slots_[slot];
    if (place.block) {
        writer.add(thread, EventKind::free, *place.block, random);
        place.block.reset();
        return;
    }
    place.block = blocks_made_++;
    place.fields = random.between(1, kMaxFields);
    writer.add(thread, EventKind::alloc, *place.block, random);
    for (std::uint32_t i = 0; i < kMaxFields; ++i) {
        Variable& field = variables_[first_field_ + slot * kMaxFields + i];
        field.row = kNoTarget;
        field.content = 0;
    }
}

} // namespace heddle::generator
