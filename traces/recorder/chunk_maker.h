// Turns records of a thread's buffer into a chunk of the trace: gives everything the records refer to a
// number of the chunk's own dictionaries. One thread at a time; allocates from the recorder's own memory.
#pragma once

#include "traces/htr/chunk_encoder.h"
#include "traces/htr/writer.h"
#include "traces/recorder/late_history.h"
#include "traces/recorder/local_ids.h"
#include "traces/recorder/record.h"
#include "traces/recorder/thread_state.h"

#include <array>
#include <cstdint>
#include <span>

namespace heddle::recorder {

/// How much of a buffer is written.
struct Extent {
    std::uint64_t last_stamp = htr::kAllStamps; ///< records after it are left out
    bool live = false;                          ///< by the thread itself
    bool last = false;                          ///< the recording ends
};

class ChunkMaker {
  public:
    /// Adds the records [from, to) of a thread; those after `last_stamp` are left out. The thread's flushed
    /// stamp is brought up to date. How many events were added.
    std::size_t add(ThreadState& state, const Record* from, const Record* to, const Extent& extent);
    /// Makes a chunk of older events and writes it.
    Result<void> write_history(htr::Writer& writer, std::span<const LateEvent> events);
    /// Writes what was added as one chunk of the stream.
    Result<void> write(htr::Stream& stream, std::uint64_t next_stamp);

  private:
    static constexpr std::size_t kMaxFrames = 256;

    void start();
    void start(const ThreadState& state);
    std::uint32_t thread_number(std::uint32_t thread);
    /// The page of the object's key; it is added where it is new.
    PageNumbers::Page& page_of(ObjectKind kind, std::uint32_t key);
    [[gnu::noinline]] PageNumbers::Page& new_page(ObjectKind kind, std::uint32_t key);
    std::uint32_t object_number(const Record& record, ObjectKind kind);
    /// Says what the first record of an object in the chunk tells of it.
    [[gnu::noinline]] void describe(const Record& record, ObjectKind kind);
    /// Says once more of an object what is known of it, and which block it lies in.
    void add_link(const Record& record);
    std::uint32_t site_number(const Record& record);
    [[gnu::noinline]] std::uint32_t new_site_number(const Record& record, std::uint64_t key);
    std::uint32_t stack_number(StackNode node);
    std::uint32_t place_number(std::uint64_t code_address);
    std::uint32_t module_number(std::uint32_t module);

    /// The numbers looked up last: most events refer to what others just did.
    struct Memo {
        std::uint64_t key = ~std::uint64_t{0};
        std::uint32_t number = 0;
        std::uint32_t chunk = 0;
    };
    static constexpr std::size_t kMemos = 1024;

    htr::ChunkEncoder encoder_;
    htr::ChunkPress press_;
    std::uint32_t own_thread_ = 0; ///< in this chunk
    LocalIds sites_;
    LocalIds stacks_;
    LocalIds places_;
    LocalIds modules_;
    std::array<PageNumbers, kObjectKinds> objects_;
    std::uint32_t chunk_ = 0; ///< counts chunks: memos of earlier ones are void
    std::array<Memo, kMemos> site_memos_;
};

} // namespace heddle::recorder
