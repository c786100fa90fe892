// The accesses of a run, in cells: all accesses of a cell behave alike in every analysis. They are made by
// one thread to the same bytes of one variable, in the same way, at the same place, under the same locks and
// in the same relation to everything that is forced. Candidates are pairs of cells, so what they cost is
// bounded by cells, never by events squared.
//
// Online: cells only grow, in number and in count. An access is one lookup, whose memory is sent for when the
// access is made; it is added later, together with others.
#pragma once

#include "analysis/hard_order.h"
#include "analysis/lock_profiles.h"
#include "traces/append_vector.h"
#include "traces/hash.h"
#include "traces/hash_index.h"
#include "traces/trace.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

using CellId = Id<struct CellTag>;

/// Who does what to which bytes, packed into 32 bits.
class AccessShape {
  public:
    constexpr AccessShape() = default;
    /// `opens_segment`: the access itself has to wait for others, and the segment it is counted to ends with
    /// it.
    constexpr AccessShape(EventHead head, bool opens_segment)
        : bits_(head.thread().value | static_cast<std::uint32_t>(head.kind()) << kThread |
                static_cast<std::uint32_t>(head.bytes().offset) << (kThread + 3U) |
                static_cast<std::uint32_t>(head.bytes().size - 1U) << (kThread + 6U) |
                (opens_segment ? 1U << 31U : 0U)) {}

    [[nodiscard]] constexpr ThreadId thread() const { return ThreadId{bits_ & ((1U << kThread) - 1U)}; }
    [[nodiscard]] constexpr EventKind kind() const { return static_cast<EventKind>(bits_ >> kThread & 7U); }
    [[nodiscard]] constexpr ByteRange bytes() const {
        return {static_cast<std::uint8_t>(bits_ >> (kThread + 3U) & 7U),
                static_cast<std::uint8_t>((bits_ >> (kThread + 6U) & 7U) + 1U)};
    }
    [[nodiscard]] constexpr bool writes() const { return writes_memory(kind()); }
    [[nodiscard]] constexpr bool atomic() const { return traits(kind()).atomic; }
    [[nodiscard]] constexpr std::uint32_t bits() const { return bits_; }

    constexpr auto operator<=>(const AccessShape&) const = default;

  private:
    static constexpr unsigned kThread = EventHead::kThreadBits;
    static_assert(kThread + 9U < 31U && static_cast<unsigned>(EventKind::atomic_rmw) < 8U);

    std::uint32_t bits_ = 0;
};

/// What the accesses of a cell have in common.
struct AccessKey {
    VarId variable;
    AccessShape shape;
    PlaceId place;     ///< may be invalid
    SegmentId segment; ///< of the hard order
    ProfileId profile; ///< what the thread holds
    FutureId future;   ///< see lock_futures.h

    using Words = std::array<std::uint64_t, 3>;
    [[nodiscard]] constexpr Words words() const {
        return {std::uint64_t{variable.value} | std::uint64_t{shape.bits()} << 32U,
                std::uint64_t{place.value} | std::uint64_t{segment.value} << 32U,
                std::uint64_t{profile.value} | std::uint64_t{future.value} << 32U};
    }
    [[nodiscard]] constexpr std::uint64_t hash() const {
        const Words all = words();
        return hash_words(all[0], all[1], all[2]);
    }
    /// Whatever locks they are made under.
    [[nodiscard]] constexpr std::uint64_t hash_of_spot() const {
        const Words all = words();
        return hash_mix(all[0], all[1]);
    }
    [[nodiscard]] constexpr bool same_spot(const AccessKey& other) const {
        const Words mine = words();
        const Words others = other.words();
        return mine[0] == others[0] && mine[1] == others[1];
    }
    constexpr bool operator==(const AccessKey& other) const { return words() == other.words(); }
};

/// What is known of an access when it is made.
struct Access {
    AccessKey key;
    EventId event;
    std::uint32_t index = 0; ///< within its thread
    std::uint32_t sync = 0;  ///< how many synchronisation events its thread had made before
    CellId cell;             ///< that it belongs to, once it was added
    std::uint64_t hash = 0;  ///< of its key
    // What it stands for besides itself: see stretch_folding.h.
    std::uint32_t count = 1;
    bool scattered = false;     ///< as in AccessCell
    bool follows_other = false; ///< one of them came right after an access with another spot
};

struct alignas(64) AccessCell : AccessKey { // a cache line: they are looked up at random
    EventId first;                          ///< represents the others
    std::uint32_t index = 0;                ///< of `first`
    std::uint32_t sync = 0;                 ///< likewise
    std::uint32_t count = 0;
    bool scattered = false; ///< its accesses do not all lie between the same two synchronisation events
    CellId next;            ///< an older cell of the variable
    CellId spot; ///< the first cell that differs from this one in locks alone; see AccessCells::spot_of

    explicit AccessCell(const Access& access)
        : AccessKey(access.key), first(access.event), index(access.index), sync(access.sync) {}
};

class AccessCells {
  public:
    /// An access with this hash is at the end of those that will be added together: sends for the memory that
    /// its lookup will need, a little for this one and the rest for one before it.
    [[gnu::always_inline]] inline void expect(std::span<const Access> accesses) const {
        index_.prefetch(accesses.back().hash);
        if (accesses.size() > kAhead) fetch(accesses[accesses.size() - 1 - kAhead]);
    }
    /// Tells each access, which was expected, its cell.
    void add(std::span<Access> accesses);

    [[nodiscard]] const AccessCell& operator[](CellId id) const { return cells_[id.value]; }
    [[nodiscard]] std::size_t size() const { return cells_.size(); }
    /// How many of them write.
    [[nodiscard]] std::size_t writes() const { return writes_; }

    /// The first cell with the same variable, shape, place and segment: what accesses have in common whatever
    /// locks they are made under.
    [[nodiscard]] CellId spot_of(CellId id) {
        AccessCell& cell = cells_[id.value];
        if (!cell.spot.valid()) cell.spot = find_spot(id);
        return cell.spot;
    }

    /// The newest cell of a variable, from which `next` leads to the others; invalid when it has none.
    [[nodiscard]] CellId newest(VarId variable) const {
        return variable.value < variables_.size() ? variables_[variable.value].newest : CellId{};
    }
    /// Whether more than one thread accesses the variable.
    [[nodiscard]] bool shared(VarId variable) const {
        return variable.value < variables_.size() && variables_[variable.value].shared;
    }
    /// Variables accessed since they were taken last, each once.
    [[nodiscard]] const std::vector<VarId>& touched() const { return touched_; }
    [[nodiscard]] std::vector<VarId> take_touched();
    void clear();

  private:
    struct Variable {
        CellId newest;
        ThreadId thread; ///< of the first access
        bool shared = false;
        bool touched = false;
    };

    /// How many accesses later the index is there to tell the likely cell of one.
    static constexpr std::size_t kAhead = 10;

    // GCC takes a function that only fetches for one without effects, and drops the calls that it does not
    // inline.
    [[gnu::always_inline]] inline void fetch(const Access& access) const {
        if (const std::uint32_t row = index_.likely(access.hash); row != HashIndex::kAbsent)
            __builtin_prefetch(&cells_[row], 1);
    }
    [[nodiscard]] CellId create(const Access& access);
    [[nodiscard]] CellId find_spot(CellId id);

    GrowingTable<AccessCell> cells_;
    HashIndex index_;
    HashIndex spots_; ///< of those cells that were asked for
    std::vector<Variable> variables_;
    std::vector<VarId> touched_;
    std::size_t writes_ = 0;
};

/// Cells of two sets under ids of one kind: from kSecond on they are those of the second.
class CellLookup {
  public:
    static constexpr std::uint32_t kSecond = 0x8000'0000;

    CellLookup(const AccessCells& first, const AccessCells& second) : first_(&first), second_(&second) {}
    [[nodiscard]] const AccessCell& operator[](CellId id) const {
        return id.value < kSecond ? (*first_)[id] : (*second_)[CellId{id.value - kSecond}];
    }

  private:
    const AccessCells* first_;
    const AccessCells* second_;
};

} // namespace heddle
