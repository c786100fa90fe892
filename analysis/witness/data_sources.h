// Which writes of the run could give a read the value that it saw, in a given order of data (data_order.h).
//
// O(writes) to make; a read costs a look at the writes of each thread to its variable that the order does not
// put before or after it.
#pragma once

#include "analysis/interner.h"
#include "analysis/witness/run_index.h"
#include "traces/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

class DataOrder;

class DataSources {
  public:
    /// `positions`: by event, its place in its thread.
    DataSources(const Trace& trace, const RunIndex& index, std::span<const std::uint32_t> positions);

    /// Whether no other write of the run has the value, or memory at first.
    [[nodiscard]] bool unique(const Trace& trace, const RunIndex& index, const EventView& read) const;
    /// Nothing of that kind will be asked again.
    void forget_values() { values_ = {}; }

    /// The bytes of a read, a bit each, for which the order leaves no other source than the write that it
    /// saw.
    [[nodiscard]] std::uint8_t only_source(const DataOrder& order, const Trace& trace, const RunIndex& index,
                                           const EventView& read) const;

  private:
    struct Write {
        EventId event;
        std::uint32_t index = 0; ///< in its thread
        std::uint64_t value = 0;
        bool known = false; ///< the value
    };
    /// A thread's writes to some bytes of a variable.
    struct Column {
        ThreadId thread;
        ByteRange bytes;
        std::vector<Write> writes;
    };
    /// What a read looks for in some of its bytes.
    struct Search {
        ThreadId thread;
        std::uint32_t index = 0; ///< in its thread
        ByteRange part;
        std::uint64_t value = 0;
        EventId seen;
    };

    /// A thread's last write to bytes that a read looks at, of those that the order has before the read.
    struct Last {
        ThreadId thread;
        ByteRange bytes;
        const Write* write = nullptr;
    };

    void add(const Trace& trace, const EventView& write, std::uint32_t position);
    [[nodiscard]] bool comparable(const EventView& read) const;
    [[nodiscard]] bool only_source(const DataOrder& order, const RunIndex& index, const EventView& read,
                                   const Search& search) const;
    /// Whether the later one is always in between the earlier one and the read, and leaves nothing of it.
    [[nodiscard]] static bool hides(const DataOrder& order, const Last& later, const Last& earlier,
                                    ByteRange part);
    [[nodiscard]] static bool could_serve(const Write& write, ByteRange bytes, const Search& search);

    std::vector<std::vector<Column>> variables_; ///< columns of one thread follow each other
    GrowingMap values_; ///< by variable, bytes and value: who writes it, or that several do
};

} // namespace heddle
