// Strong 32-bit ids: an index into one table of one trace. Ids of different tables do not mix, and a
// default-constructed id refers to nothing.
#pragma once

#include <compare>
#include <cstdint>

namespace heddle {

template<typename Tag>
struct Id {
    static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

    std::uint32_t value = kNone;

    constexpr Id() = default;
    constexpr explicit Id(std::uint32_t index) : value(index) {}
    constexpr explicit Id(std::size_t index) : value(static_cast<std::uint32_t>(index)) {}

    [[nodiscard]] constexpr bool valid() const { return value != kNone; }
    // clang-tidy 14 sees a null pointer in the comparison that the compiler writes.
    // NOLINTNEXTLINE(modernize-use-nullptr)
    constexpr auto operator<=>(const Id&) const = default;
};

using EventId = Id<struct EventTag>; ///< position in the trace's total order
using ThreadId = Id<struct ThreadTag>;
using LockId = Id<struct LockTag>;
using VarId = Id<struct VarTag>;
using ConditionId = Id<struct ConditionTag>;
using BarrierId = Id<struct BarrierTag>;
using SemaphoreId = Id<struct SemaphoreTag>;
using OnceId = Id<struct OnceTag>;
using BlockId = Id<struct BlockTag>; ///< one allocation of memory, from alloc to free
using TagId = Id<struct TagTag>;     ///< what an annotation or a transaction is named by
using StringId = Id<struct StringTag>;
using ModuleId = Id<struct ModuleTag>;
using PlaceId = Id<struct PlaceTag>;
using StackId = Id<struct StackTag>;

} // namespace heddle
