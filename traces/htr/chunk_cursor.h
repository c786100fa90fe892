// Decodes one events chunk, from front to back, straight into a TraceBuilder's columns. Everything in a
// payload is checked before it is used: a payload may come from anyone.
#pragma once

#include "traces/htr/file_tables.h"
#include "traces/htr/layout.h"
#include "traces/htr/varint.h"
#include "traces/trace_builder.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::htr {

class ChunkCursor {
  public:
    /// Takes over a decompressed payload and interns its dictionaries. `major`: the version of the file.
    /// The problem, in words, or empty.
    [[nodiscard]] std::string open(Bytes payload, const ChunkHeader& header, std::uint16_t major,
                                   FileTables& tables);

    [[nodiscard]] bool done() const { return run_ == runs_.size(); }
    /// Stamp of the next event; only while not done().
    [[nodiscard]] std::uint64_t next_stamp() const { return next_stamp_; }
    [[nodiscard]] std::size_t events_left() const { return sites_of_events_.size() - position_; }

    /// Appends the events whose stamps are below `bound` to the builder of the tables. The problem, or empty;
    /// what was appended before a problem is good.
    [[nodiscard]] std::string decode_below(std::uint64_t bound, FileTables& tables);

    /// Once done: whether all values that the chunk leaves to the events before it were told by these, as the
    /// writer said. Those that were not told are missing.
    [[nodiscard]] bool has_right_values() const { return told_.unknown == 0 && told_.sum == told_wanted_; }

  private:
    /// What an event has in the column of values, and what it says of its variable.
    enum class Role : std::uint8_t {
        nothing,
        number, ///< a value that is not that of a variable
        shows,  ///< the value of an access
        told,   ///< a read that saw what the events before it tell
        forgets,
        changes, ///< an atomic read-modify-write, with the value written and perhaps the one read
    };
    struct Site {
        EventHead head;
        EventHead head_without_value;
        std::uint32_t* targets = nullptr; ///< by local number plus one; 0 for none
        std::uint32_t first_target = 0;   ///< the range that is possible for the kind
        std::uint32_t last_target = 0;
        Role role = Role::nothing;
        bool is_told = false;
        Contents::Part part;
        std::uint64_t last_value = 0; ///< that was written down
    };
    /// The values that the chunk leaves out.
    struct Told {
        std::uint64_t values = 0;
        std::uint64_t unknown = 0; ///< no event before told them
        std::uint64_t sum = 0;

        /// Counts one; whether it is known.
        bool take(std::optional<std::uint64_t> value) {
            if (!value)
                ++unknown;
            else
                sum += *value * (2 * values++ + 1);
            return value.has_value();
        }
    };
    struct Run {
        ThreadId thread;
        std::uint32_t count = 0;
        std::uint64_t first = 0;
        bool same_stamp = false;
    };
    /// The objects of a kind that the chunk can refer to.
    struct Objects {
        std::vector<std::uint32_t> ids;           ///< [0] is "no target"; kNoTarget: not looked up yet
        std::vector<std::uint64_t> pages;         ///< of their keys; not in version 1
        std::vector<std::uint64_t> last_values_1; ///< version 1: each value is relative to the one before
    };
    void read_strings(ByteReader& in, TraceBuilder& builder);
    void read_modules(ByteReader& in, TraceBuilder& builder);
    void read_places(ByteReader& in, TraceBuilder& builder);
    [[nodiscard]] std::string read_stacks(ByteReader& in, TraceBuilder& builder);
    [[nodiscard]] std::string read_pages(ByteReader& in, FileTables& tables, ObjectKind kind,
                                         std::size_t most);
    [[nodiscard]] std::string read_facts(ByteReader& in, FileTables& tables, ObjectKind kind,
                                         std::vector<std::uint32_t>* ids);
    [[nodiscard]] std::string read_sites(ByteReader& in);
    [[nodiscard]] std::string read_site(ByteReader& in, Site& site);
    [[nodiscard]] std::string read_runs(ByteReader& in, const ChunkHeader& header, FileTables& tables);
    [[nodiscard]] std::string add_run(std::uint32_t thread, std::uint64_t gap, std::uint64_t count,
                                      bool same_stamp, const ChunkHeader& header);
    [[nodiscard]] std::string read_columns(ByteReader& in, std::size_t events);
    void start_run();
    /// Looks up the object, or makes it. Nothing: there are too many.
    [[nodiscard]] bool resolve(ObjectKind kind, std::uint32_t target, FileTables& tables);
    [[nodiscard]] bool decode(std::size_t count, ThreadId thread, FileTables& tables);
    /// An atomic read-modify-write: its raw value, as a trace keeps it. `told`: by the events before it.
    [[nodiscard]] std::uint64_t change(Site& site, std::uint32_t variable, Told& told, ByteReader& values,
                                       FileTables& tables, EventHead& head);

    // Files of version 1 (chunk_cursor_1.cpp).
    [[nodiscard]] std::string open_1(ByteReader& in, const ChunkHeader& header, FileTables& tables);
    [[nodiscard]] std::string read_runs_1(ByteReader& in, const ChunkHeader& header);
    [[nodiscard]] bool decode_1(std::size_t count, ThreadId thread, TraceBuilder& builder);

    Bytes payload_;
    std::uint16_t major_ = 0;
    std::vector<StringId> strings_;
    std::vector<ModuleId> modules_;
    std::vector<PlaceId> places_;
    std::vector<StackId> stacks_;
    std::array<Objects, kObjectKinds> objects_;
    std::vector<Site> sites_;
    std::vector<Run> runs_;
    std::uint64_t run_events_ = 0; ///< of the runs read so far
    std::uint64_t run_stamp_ = 0;  ///< the last one of these
    std::vector<std::uint32_t> sites_of_events_;
    std::vector<std::uint32_t> targets_of_events_;
    ByteReader values_;
    Told told_;
    std::uint64_t told_wanted_ = 0; ///< what their sum must be in the end

    std::size_t position_ = 0;
    std::size_t run_ = 0;
    std::uint32_t left_in_run_ = 0;
    std::uint64_t next_stamp_ = 0;
};

} // namespace heddle::htr
