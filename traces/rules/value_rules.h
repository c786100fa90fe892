// Reads must see what was last written. Byte-exact within a variable; the hot path of check_rules.
#pragma once

#include "traces/rules/rule_log.h"

#include <cassert>
#include <vector>

namespace heddle::rules {

class ValueRules {
  public:
    explicit ValueRules(const Trace& trace) : memory_(trace.objects(ObjectKind::variable).size()) {}

    /// A read or write, atomic or not. Which of the two is as good as random to the processor, so that
    /// both take the same path, without branches: a read that agrees with what is known stores the same
    /// bytes again.
    void read_or_write(const EventView& event, RuleLog& log) {
        Cell& cell = memory_[event.target()];
        const Bytes bytes(event.bytes());
        const bool writes = (static_cast<unsigned>(event.kind()) & 1U) != 0;
        assert(writes == writes_memory(event.kind()));
        if (!event.has_value()) {
            if (writes) cell.forget(bytes, event.id());
            return;
        }
        const std::uint64_t value = event.raw_value();
        if (!bytes.fit(value)) [[unlikely]] {
            if (writes) cell.forget(bytes, event.id());
            return too_wide(event, value, log);
        }
        const std::uint64_t expected = bytes.bits & (std::uint64_t{writes} - 1); // nothing of a write
        if (cell.differs(bytes, value, expected)) [[unlikely]]
            return unexplained(event, value, cell, log);
        const bool news = writes || !cell.knows(bytes);
        const std::uint32_t known_before = std::uint32_t{news} - 1;
        cell.store(bytes, value,
                   EventId{(event.id().value & ~known_before) | (cell.last.value & known_before)});
    }

    void read_modify_write(const EventView& event, RuleLog& log);

  private:
    struct Bytes {
        explicit Bytes(ByteRange range)
            : shift(range.offset * 8U), ones(~std::uint64_t{0} >> (64U - range.size * 8U)),
              bits(ones << shift), set(static_cast<std::uint8_t>(((1U << range.size) - 1U) << range.offset)) {
        }

        [[nodiscard]] bool fit(std::uint64_t value) const { return (value & ~ones) == 0; }

        unsigned shift;
        std::uint64_t ones; ///< the widest value
        std::uint64_t bits; ///< of the variable
        std::uint8_t set;   ///< the same, one bit per byte
    };

    struct Cell {
        std::uint64_t content = 0;
        EventId last; ///< that wrote, or was the first to read
        std::uint8_t known = 0;

        /// Whether what is known of the `expected` bits is something else than the value.
        [[nodiscard]] bool differs(Bytes bytes, std::uint64_t value, std::uint64_t expected) const;
        void store(Bytes bytes, std::uint64_t value, EventId by) {
            content = (content & ~bytes.bits) | value << bytes.shift;
            known |= bytes.set;
            last = by;
        }
        [[nodiscard]] bool knows(Bytes bytes) const { return (known & bytes.set) == bytes.set; }
        void forget(Bytes bytes, EventId by) {
            known &= static_cast<std::uint8_t>(~bytes.set);
            last = by;
        }
    };
    static_assert(sizeof(Cell) == 16);

    static void too_wide(const EventView& event, std::uint64_t value, RuleLog& log);
    static void unexplained(const EventView& event, std::uint64_t value, const Cell& cell, RuleLog& log);

    std::vector<Cell> memory_;
};

/// 0xFF in every byte whose bit is set.
[[nodiscard]] constexpr std::uint64_t spread(std::uint8_t set) {
    // Copies the set into every byte, picks one bit per byte, and turns a picked bit into a full byte.
    const std::uint64_t picked = (set * 0x0101'0101'0101'0101U) & 0x8040'2010'0804'0201U;
    const std::uint64_t nonzero = ((picked + 0x7F7F'7F7F'7F7F'7F7FU) | picked) & 0x8080'8080'8080'8080U;
    return (nonzero >> 7U) * 0xFFU;
}

inline bool ValueRules::Cell::differs(Bytes bytes, std::uint64_t value, std::uint64_t expected) const {
    const std::uint64_t different = (content ^ value << bytes.shift) & expected;
    return different != 0 && (different & spread(known)) != 0;
}

} // namespace heddle::rules
