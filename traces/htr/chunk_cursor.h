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
    /// Takes over a decompressed payload and interns its dictionaries. The problem, in words, or empty.
    [[nodiscard]] std::string open(Bytes payload, const ChunkHeader& header, FileTables& tables);

    [[nodiscard]] bool done() const { return run_ == runs_.size(); }
    /// Stamp of the next event; only while not done().
    [[nodiscard]] std::uint64_t next_stamp() const { return next_stamp_; }
    [[nodiscard]] std::size_t events_left() const { return sites_of_events_.size() - position_; }

    /// Appends the events whose stamps are below `bound` to the builder. The problem, or empty; what
    /// was appended before a problem is good.
    [[nodiscard]] std::string decode_below(std::uint64_t bound, TraceBuilder& builder);

  private:
    /// An object of the chunk: its id in the trace, and the value that the next one is relative to.
    struct Target {
        std::uint32_t id = kNoTarget;
        std::uint64_t last_value = 0;
    };
    struct Site {
        EventHead head;
        Target* targets = nullptr;      ///< by local number plus one; 0 for none
        std::uint32_t first_target = 0; ///< the range that is possible for the kind
        std::uint32_t last_target = 0;
    };
    struct Run {
        ThreadId thread;
        std::uint32_t count = 0;
        std::uint64_t first = 0;
        bool same_stamp = false;
    };
    void read_strings(ByteReader& in, TraceBuilder& builder);
    void read_modules(ByteReader& in, TraceBuilder& builder);
    void read_places(ByteReader& in, TraceBuilder& builder);
    [[nodiscard]] std::string read_stacks(ByteReader& in, TraceBuilder& builder);
    [[nodiscard]] std::string read_objects(ByteReader& in, FileTables& tables, ObjectKind kind);
    [[nodiscard]] std::string read_sites(ByteReader& in);
    [[nodiscard]] std::string read_site(ByteReader& in, Site& site);
    [[nodiscard]] std::string read_runs(ByteReader& in, const ChunkHeader& header);
    void start_run();
    [[nodiscard]] bool decode(std::size_t count, ThreadId thread, TraceBuilder& builder);

    Bytes payload_;
    std::vector<StringId> strings_;
    std::vector<ModuleId> modules_;
    std::vector<PlaceId> places_;
    std::vector<StackId> stacks_;
    std::array<std::vector<Target>, kObjectKinds> objects_; ///< [0] is "no target"
    std::vector<Site> sites_;
    std::vector<Run> runs_;
    std::vector<std::uint32_t> sites_of_events_;
    std::vector<std::uint32_t> targets_of_events_;
    ByteReader values_;

    std::size_t position_ = 0;
    std::size_t run_ = 0;
    std::uint32_t left_in_run_ = 0;
    std::uint64_t next_stamp_ = 0;
};

} // namespace heddle::htr
