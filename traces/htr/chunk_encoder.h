// Builds the payload of one events chunk: dictionaries, then columns. The caller numbers things: every
// add_… returns the local number, counted from 0 in the order of adding, and never looks for duplicates
// (whoever writes knows its own tables best: see trace_chunker.h). Objects are numbered by pages of their
// keys. Not thread-safe; one per writing thread. reset() keeps the memory, so that a writer that has warmed
// up does not allocate.
#pragma once

#include "traces/event.h"
#include "traces/htr/layout.h"
#include "traces/htr/varint.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace heddle::htr {

/// What is the same for all events of one point of the program, stated once in a chunk.
struct SiteEntry {
    EventKind kind = EventKind::read;
    MemoryOrder order = MemoryOrder::none;
    ByteRange bytes;
    bool has_value = false;
    bool is_told = false;               ///< what was read is what the events before it tell (contents.h)
    std::optional<std::uint32_t> stack; ///< local number

    bool operator==(const SiteEntry&) const = default;
};

struct ModuleEntry {
    std::uint32_t path = 0; ///< local number of a string
    std::uint32_t build_id = 0;
    std::uint64_t base = 0;
    std::uint64_t size = 0;
};

struct PlaceEntry {
    std::uint32_t label = 0; ///< local numbers of strings
    std::uint32_t function = 0;
    std::uint32_t file = 0;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::optional<std::uint32_t> module; ///< local number
    std::uint64_t offset = 0;
};

/// Only what is set is written; what was said of the same key in another chunk still holds.
struct ObjectEntry {
    std::uint64_t key = 0; ///< names the object in all chunks of the file
    std::optional<std::uint32_t> name;
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    std::optional<std::uint64_t> block; ///< key
};

class ChunkEncoder {
  public:
    ChunkEncoder() { reset(); }
    void reset();

    /// Local string 0 is the empty one and always there.
    std::uint32_t add_string(std::string_view text);
    std::uint32_t add_module(const ModuleEntry& module);
    std::uint32_t add_place(const PlaceEntry& place);
    std::uint32_t add_stack(std::uint32_t place, std::optional<std::uint32_t> caller);
    /// Makes the objects with keys from page * kKeysPerPage on known to the chunk. The number of the first.
    std::uint32_t add_page(ObjectKind kind, std::uint64_t page);
    /// Tells something of an object, whether events of the chunk refer to it or not.
    void describe(ObjectKind kind, const ObjectEntry& object);
    std::uint32_t add_site(const SiteEntry& site);

    /// Appends an event. Stamps must not decrease. `target`: local number, or nothing.
    void add_event(std::uint32_t thread, std::uint64_t stamp, std::uint32_t site,
                   std::optional<std::uint32_t> target, std::uint64_t value, std::uint64_t value_read) {
        place_event(thread, stamp, site, target ? *target + 1 : 0);
        if (site_values_[site].has_value) add_value(site, value, value_read);
    }
    /// The same in steps, for who writes many: the event, and then its value, if its site has one.
    /// `target`: local number plus one, or 0.
    [[gnu::always_inline]] inline void place_event(std::uint32_t thread, std::uint64_t stamp,
                                                   std::uint32_t site, std::uint32_t target) {
        if (events_ == sites_of_events_.size()) [[unlikely]]
            grow_columns();
        // The second event of a run decides whether its stamps stand still or count up.
        if (stamp == last_stamp_ && run_.same_stamp && run_.thread == thread) [[likely]] {
            ++run_.count;
        } else {
            continue_run(thread, stamp);
        }
        sites_of_events_[events_] = site;
        targets_of_events_[events_] = target;
        ++events_;
    }
    void add_value(std::uint32_t site, std::uint64_t value, std::uint64_t value_read);
    /// A value that the events before it tell.
    void leave_out(std::uint64_t value) { told_sum_ += value * (2 * told_values_++ + 1); }

    [[nodiscard]] std::size_t events() const { return events_; }
    [[nodiscard]] std::uint64_t first_stamp() const { return first_stamp_; }
    [[nodiscard]] std::uint64_t last_stamp() const { return last_stamp_; }
    /// Roughly the payload's size so far.
    [[nodiscard]] std::size_t bytes() const;

    /// Appends the payload to `out`. Where its last column begins, that of targets.
    std::size_t finish(Bytes& out);

  private:
    /// Entries of a dictionary, or runs. Written to room that is made first: most are a few small numbers.
    class Section {
      public:
        /// Room for an entry; to be ended with the end of what was written there.
        [[nodiscard]] std::uint8_t* begin_entry(std::size_t most_bytes) {
            if (bytes_.size() - used_ < most_bytes) bytes_.resize(2 * bytes_.size() + most_bytes + 256);
            return bytes_.data() + used_;
        }
        /// The number of the entry.
        std::uint32_t end_entry(const std::uint8_t* end) {
            used_ = static_cast<std::size_t>(end - bytes_.data());
            return count_++;
        }
        void clear() {
            count_ = 0;
            used_ = 0;
        }
        [[nodiscard]] std::uint32_t count() const { return count_; }
        [[nodiscard]] std::span<const std::uint8_t> bytes() const { return {bytes_.data(), used_}; }

      private:
        std::uint32_t count_ = 0;
        std::size_t used_ = 0; ///< of the bytes
        Bytes bytes_;
    };
    struct Run {
        std::uint64_t gap = 0; ///< after the run before
        std::uint32_t thread = 0;
        std::uint32_t count = 0;
        bool same_stamp = false;
    };
    /// Objects of a kind.
    struct Objects {
        Section pages;
        Section facts;
        std::uint64_t last_page = 0;
        std::uint64_t last_key = 0; ///< of the facts
    };

    /// What events of a site have in the column of values.
    struct SiteValues {
        std::uint64_t last = 0; ///< that was written down
        bool has_value = false;
        bool is_told = false;
        bool has_two = false;
    };

    void grow_columns();
    void continue_run(std::uint32_t thread, std::uint64_t stamp);
    void close_run();
    void encode_runs(unsigned shift);

    Section strings_;
    Section modules_;
    Section places_;
    Section stacks_;
    std::array<Objects, kObjectKinds> objects_;
    Section sites_;
    std::vector<Run> runs_;
    Section encoded_runs_;

    std::vector<SiteValues> site_values_;
    std::size_t events_ = 0; ///< in use of the two columns
    std::vector<std::uint32_t> sites_of_events_;
    std::vector<std::uint32_t> targets_of_events_; ///< local number + 1; 0: no target
    Bytes values_;                                 ///< the first value_bytes_ are in use
    std::size_t value_bytes_ = 0;
    std::uint64_t told_values_ = 0; ///< how many were left out
    std::uint64_t told_sum_ = 0;    ///< of these, so that readers notice when theirs differ

    Run run_; ///< the last one, not in runs_ yet
    std::uint64_t first_stamp_ = 0;
    std::uint64_t last_stamp_ = 0;
};

} // namespace heddle::htr
