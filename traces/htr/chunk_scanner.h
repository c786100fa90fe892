// Walks the chunks of a .htr file in file order and verifies their checksums. Stops at the first byte
// that cannot be what a writer wrote, and tells that apart from a chunk whose end is still to come.
#pragma once

#include "traces/htr/layout.h"
#include "traces/htr/varint.h"
#include "traces/io/random_access.h"
#include "traces/limits.h"
#include "traces/result.h"

#include <cstdint>
#include <memory>
#include <string>

namespace heddle::htr {

struct StoredChunk {
    ChunkHeader header;
    std::uint64_t number = 0; ///< counted from 0 in the file
    std::uint64_t offset = 0; ///< of the chunk's header
    Bytes payload;            ///< as stored
};

class ChunkScanner {
  public:
    enum class Step : std::uint8_t {
        chunk,      ///< the next chunk is in `chunk()`
        at_end,     ///< the file ends after a whole chunk
        mid_chunk,  ///< the file ends within a chunk
        corrupt,    ///< see problem()
        unreadable, ///< the operating system refused; see problem()
    };

    ChunkScanner(std::unique_ptr<RandomAccess> file, const Limits& limits, bool verify)
        : file_(std::move(file)), limits_(limits), verify_(verify) {}

    /// Reads the file header. Must come first; an error means that nothing can be read.
    Result<void> start();

    Step next();

    /// Looks ahead of next() for history chunks, which must be known before the events they belong among.
    /// False when there is none that is whole and sound; one that is not is met by next().
    [[nodiscard]] bool next_history(StoredChunk& into);

    /// False once the file is not the one that was started: replaced, rewritten, or cut shorter.
    [[nodiscard]] bool same_file() const;

    /// The file's major version.
    [[nodiscard]] std::uint16_t major() const { return file_header_.major; }
    [[nodiscard]] StoredChunk& chunk() { return chunk_; }
    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] std::uint64_t offset() const { return offset_; } ///< of the next chunk
    [[nodiscard]] std::uint64_t number() const { return number_; }
    [[nodiscard]] std::uint64_t file_bytes() const { return file_bytes_; }

  private:
    Step read_header(std::uint64_t offset, ChunkHeader& header);
    Step read_payload(std::uint64_t offset, StoredChunk& chunk);
    Step stop(Step step, std::string problem) {
        problem_ = std::move(problem);
        return step;
    }

    std::unique_ptr<RandomAccess> file_;
    Limits limits_;
    bool verify_;
    FileHeader file_header_;
    StoredChunk chunk_;
    std::string problem_;
    std::uint64_t offset_ = 0;
    std::uint64_t number_ = 0;
    std::uint64_t ahead_ = 0; ///< where next_history() goes on
    std::uint64_t ahead_number_ = 0;
    std::uint64_t file_bytes_ = 0;
};

} // namespace heddle::htr
