// Writes a .htr file from many threads without a common lock. Each thread has a Stream of its own, fills
// its encoder and flushes it: a chunk is made ready in the thread and appended with one write() to a
// descriptor in append mode, so chunks never interleave and a killed process leaves whole chunks behind.
//
// After a failed write (disk full) nothing more is written, the error is kept, and what is on disk stays
// readable. No function here throws or exits.
#pragma once

#include "traces/htr/chunk_encoder.h"
#include "traces/htr/layout.h"
#include "traces/metadata.h"
#include "traces/result.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

struct ZSTD_CCtx_s;

namespace heddle::htr {

struct WriterOptions {
    int zstd_level = 1; ///< 0: not compressed
    /// While the file has fewer bytes, level 1 is used if the other is a faster one: it costs little time,
    /// and many recordings are short.
    std::uint64_t small_file = 0;
    std::uint64_t file_id = 0; ///< 0: a random one
};

/// What it takes to turn a payload into a chunk: buffers and a compressor, for one thread at a time. Many
/// streams that are seldom flushed can share one.
class ChunkPress {
  public:
    ChunkPress();

  private:
    friend class Writer;
    static constexpr std::size_t kSample = 2048;

    /// The size, or zstd's error.
    [[nodiscard]] std::size_t compress(int level, std::span<const std::uint8_t> bytes, std::uint8_t* to,
                                       std::size_t room);
    /// Whether compression is worth its time. A sample tells.
    [[nodiscard]] bool shrinks(int level, std::span<const std::uint8_t> bytes);

    using Compressor = std::unique_ptr<ZSTD_CCtx_s, std::size_t (*)(ZSTD_CCtx_s*)>;

    Bytes payload_;
    Bytes chunk_;
    Compressor compressor_; ///< made when first used
};

class Stream;

class Writer {
  public:
    /// Creates or empties the file and writes its header.
    [[nodiscard]] static Result<std::unique_ptr<Writer>> create(const std::string& path,
                                                                WriterOptions options);
    /// Writes the header to a descriptor in append mode, and everything else later. Takes the descriptor
    /// over; `path` is for messages.
    [[nodiscard]] static Result<std::unique_ptr<Writer>> adopt(int descriptor, const std::string& path,
                                                               WriterOptions options);
    ~Writer();
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    Writer(Writer&&) = delete;
    Writer& operator=(Writer&&) = delete;

    /// A new stream whose stamps will all be at least `from_stamp`. Any thread may call it. The writer
    /// must outlive its streams.
    [[nodiscard]] std::unique_ptr<Stream> open_stream(std::uint64_t from_stamp = 0);

    /// Adds what is known of the run; later chunks add to and replace what earlier ones said.
    Result<void> write_metadata(const Metadata& metadata);

    /// Writes events that come before others already written: what was done to variables that no other thread
    /// had used so far. To be called before the first event of another thread to such a variable is written.
    Result<void> append_history(ChunkEncoder& encoder, ChunkPress& press);

    /// Writes the end chunk. All streams must have been flushed.
    Result<void> close();

    /// The first failure, if there was one.
    [[nodiscard]] Result<void> status() const;

  private:
    friend class Stream;

    /// Where each stream is: all its events still to be written have at least this stamp.
    struct Slot {
        std::atomic<std::uint64_t> pending_from{0};
        std::uint32_t number = 0;
        Slot* next = nullptr;
    };

    Writer(std::string path, int descriptor, WriterOptions options);
    Slot* add_slot(std::uint64_t from_stamp);
    [[nodiscard]] std::uint64_t stable_without(const Slot* own) const;
    Result<void> append(const Bytes& bytes);
    /// Puts the payload behind the room for a header in the press, and says in the header what is there.
    /// `targets`: where its last column begins, which may be all but random.
    [[nodiscard]] Result<void> store_payload(ChunkPress& press, std::size_t targets,
                                             ChunkHeader& header) const;
    Result<void> append_events(ChunkEncoder& encoder, ChunkPress& press, ChunkHeader header);
    Result<void> append_small(ChunkType type, const Bytes& payload, std::uint64_t stable);

    std::string path_;
    int descriptor_;
    WriterOptions options_;
    std::atomic<Slot*> slots_{nullptr};
    std::atomic<std::uint32_t> next_stream_{0};
    std::atomic<int> failed_errno_{0};
    std::atomic<std::uint64_t> bytes_{0}; ///< of the file
};

/// One thread's way into the file.
class Stream {
  public:
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    Stream(Stream&&) = delete;
    Stream& operator=(Stream&&) = delete;

    [[nodiscard]] ChunkEncoder& encoder() { return encoder_; }

    /// Writes what the encoder holds as one chunk and resets it. No later event of this stream may have a
    /// stamp below `next_stamp`: readers of the growing file rely on it.
    Result<void> flush(std::uint64_t next_stamp);

    /// The same with an encoder and a press that are not the stream's own.
    Result<void> flush(ChunkEncoder& encoder, ChunkPress& press, std::uint64_t next_stamp);

    /// Promises the same without writing anything.
    void advance(std::uint64_t next_stamp) {
        slot_->pending_from.store(next_stamp, std::memory_order_release);
    }

  private:
    friend class Writer;
    Stream(Writer& writer, Writer::Slot* slot);

    Writer& writer_;
    Writer::Slot* slot_;
    std::uint32_t sequence_ = 0;
    ChunkEncoder encoder_;
    ChunkPress press_;
};

} // namespace heddle::htr
