// The memory of a simulated program: what each variable holds, and which lock guards it.
//
// Pools: shared variables with guards ("v3"); private ones of a thread ("p2.0"); ones that are only accessed
// atomically ("a1"); what a once-initialiser makes ("g0"); fields of heap blocks ("b7.2"), which have the
// guard of their slot and are new variables after each allocation.
#pragma once

#include "traces/generator.h"
#include "traces/generator/event_writer.h"
#include "traces/generator/random.h"

#include <optional>
#include <vector>

namespace heddle::generator {

using VariableNumber = std::uint32_t; ///< index into the memory, not a row of the trace

class Memory {
  public:
    Memory(const GeneratorSettings& settings, Random& random);

    // --- choosing what to access --------------------------------------------------------------------

    [[nodiscard]] std::optional<VariableNumber> guarded_by(std::uint32_t lock, Random& random) const;
    /// Any shared variable or field of a live block.
    [[nodiscard]] std::optional<VariableNumber> shared(Random& random) const;
    [[nodiscard]] std::optional<VariableNumber> private_of(std::uint32_t thread, Random& random) const;
    [[nodiscard]] std::optional<VariableNumber> atomic(Random& random) const;
    [[nodiscard]] VariableNumber of_once(std::uint32_t once) const { return first_once_ + once; }
    [[nodiscard]] std::optional<VariableNumber> field(std::uint32_t slot, Random& random) const;
    /// The lock that guards a shared variable or field.
    [[nodiscard]] std::uint32_t guard(VariableNumber number) const { return variables_[number].guard; }

    // --- accesses -----------------------------------------------------------------------------------

    void read(std::uint32_t thread, VariableNumber number, EventWriter& writer, Random& random);
    void write(std::uint32_t thread, VariableNumber number, EventWriter& writer, Random& random);
    /// A load, store or read-modify-write, in any of the memory orders that it can have.
    void access_atomically(std::uint32_t thread, VariableNumber number, EventWriter& writer, Random& random);

    // --- heap blocks --------------------------------------------------------------------------------

    /// Allocates a new block in an empty slot, or frees the block in a full one.
    void allocate_or_free(std::uint32_t thread, std::uint32_t slot, EventWriter& writer, Random& random);
    [[nodiscard]] std::uint32_t guard_of_slot(std::uint32_t slot) const {
        return slot % std::max(1U, locks_);
    }

  private:
    enum class Pool : std::uint8_t { shared, secluded, atomic, once, field };

    struct Variable {
        std::uint64_t content = 0;
        std::uint32_t row = kNoTarget;
        std::uint32_t guard = 0;
        std::uint32_t major = 0; ///< its number, or that of its thread or block
        std::uint32_t minor = 0;
        std::uint8_t size = 8;
        Pool pool = Pool::shared;
    };
    struct Slot {
        std::optional<std::uint32_t> block;
        std::uint32_t fields = 0;
    };

    static constexpr std::uint32_t kMaxFields = 4;

    void add(Pool pool, std::uint32_t count, std::uint32_t major, Random& random);
    [[nodiscard]] std::uint32_t row_of(Variable& variable, EventWriter& writer);
    [[nodiscard]] ByteRange choose_bytes(const Variable& variable, Random& random) const;
    [[nodiscard]] static std::uint64_t new_value(std::uint64_t old, ByteRange bytes, Random& random);

    std::uint32_t locks_;
    bool mixed_sizes_;
    bool values_;
    std::uint32_t shared_count_;
    std::uint32_t private_count_;
    std::uint32_t first_private_ = 0;
    std::uint32_t first_atomic_ = 0;
    std::uint32_t atomic_count_ = 0;
    std::uint32_t first_once_ = 0;
    std::uint32_t first_field_ = 0;
    std::vector<Variable> variables_;
    std::vector<Slot> slots_;
    std::uint32_t blocks_made_ = 0;
};

} // namespace heddle::generator
