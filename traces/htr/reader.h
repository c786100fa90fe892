// Reads a .htr file into a Trace: all of it, or as much as there is while it is being written.
//
// Streams are merged by stamp (equal stamps: by stream number), and only events below the file's own
// "stable" mark are taken: those form a prefix of the total order, with nothing missing. When the writer
// died, the few events beyond the mark are left out and counted: without the events of other threads that
// were lost they could show an execution that never was.
//
// One thread at a time; large chunks are decompressed ahead in another one, while the chunk before them is
// decoded. Memory: the trace, plus the compressed chunks that wait for slower streams.
#pragma once

#include "traces/damage.h"
#include "traces/htr/chunk_cursor.h"
#include "traces/htr/chunk_scanner.h"
#include "traces/htr/file_tables.h"
#include "traces/limits.h"
#include "traces/progress.h"
#include "traces/result.h"
#include "traces/trace_builder.h"

#include <deque>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace heddle::htr {

struct ReadOptions {
    Limits limits;
    Progress progress; ///< in bytes of the file
    bool verify_checksums = true;
};

class Reader {
  public:
    /// An error means that the file is no trace this program can read; `name` is used in messages.
    [[nodiscard]] static Result<std::unique_ptr<Reader>> open(const std::string& path, ReadOptions options);
    [[nodiscard]] static Result<std::unique_ptr<Reader>> open(std::unique_ptr<RandomAccess> file,
                                                              std::string name, ReadOptions options);

    enum class State : std::uint8_t {
        growing,  ///< all that is there was read; there may come more
        closed,   ///< the writer finished the file
        damaged,  ///< the rest of the file cannot be read; see damage()
        replaced, ///< the file was replaced, or the past it tells has grown: open it again
    };
    /// Reads what has come since the last call.
    State poll();

    /// Ends the reading: of a file that is not closed, says what is missing.
    void finish();

    [[nodiscard]] Trace trace() const { return builder_.snapshot(); }
    [[nodiscard]] const DamageLog& damage() const { return damage_; }

  private:
    /// The payload of a chunk, or why there is none.
    struct Payload {
        Bytes bytes;
        std::string problem;
    };
    struct StreamState {
        std::deque<StoredChunk> waiting;
        std::future<Payload> ahead;         ///< of the first chunk waiting
        std::unique_ptr<ChunkCursor> front; ///< the chunk being merged
        StoredChunk front_chunk;            ///< its header, for messages
        std::uint32_t next_sequence = 0;
        std::uint64_t last_stamp = 0;
    };
    using Streams = std::map<std::uint32_t, StreamState>;

    Reader(std::unique_ptr<RandomAccess> file, std::string name, ReadOptions options);

    bool accept(StoredChunk& chunk);
    bool accept_events(StoredChunk& chunk);
    bool accept_history();
    bool open_front(std::uint32_t number, StreamState& stream);
    static void decompress_ahead(StreamState& stream);
    bool merge(std::uint64_t stable);
    [[nodiscard]] static Payload decompress(const StoredChunk& chunk);
    bool stop(DamageKind kind, const StoredChunk& chunk, const std::string& what);
    [[nodiscard]] std::string place_of(std::uint64_t number, std::uint64_t offset) const;

    std::string name_;
    ReadOptions options_;
    ChunkScanner scanner_;
    TraceBuilder builder_;
    FileTables tables_;
    DamageLog damage_;
    State state_ = State::growing;
    std::uint64_t stable_ = 0;
    std::uint64_t merged_ = 0; ///< events below are in the trace
    std::uint32_t histories_ = 0;
    Streams streams_;

    /// Streams that have a next event, as a heap with the smallest (stamp, stream) on top.
    struct Head {
        std::uint64_t stamp = 0;
        std::uint32_t stream = 0;
        bool operator<(const Head& other) const {
            return stamp != other.stamp ? stamp > other.stamp : stream > other.stream;
        }
    };
    std::vector<Head> heads_;
    std::vector<std::unique_ptr<ChunkCursor>> spare_cursors_;
};

/// A whole file at once.
struct HtrTrace {
    Trace trace;
    DamageLog damage;
};
[[nodiscard]] Result<HtrTrace> read_trace(const std::string& path, const ReadOptions& options = {});

} // namespace heddle::htr
