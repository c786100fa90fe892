// The bytes of a .htr file, as docs/trace-format.md specifies them: a file header, then chunks. Each chunk
// is complete in itself: it has a checksum, and dictionaries of its own for what its events refer to.
//
// File states:  header only → chunks appended, one write each, by any thread → end chunk (closed).
// A file without an end chunk is still being written, or its writer died.
#pragma once

#include "traces/event.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace heddle::htr {

static_assert(std::endian::native == std::endian::little, ".htr is little-endian and so are its readers");

inline constexpr std::uint16_t kMajorVersion = 2; ///< raised when old readers would misread
inline constexpr std::uint16_t kMinorVersion = 0; ///< raised when old readers only miss something

inline constexpr std::size_t kFileHeaderBytes = 32;
inline constexpr std::size_t kChunkHeaderBytes = 72;
inline constexpr std::array<std::uint8_t, 8> kFileMagic = {0x89, 'H', 'T', 'R', '\r', '\n', 0x1A, '\n'};
inline constexpr std::array<std::uint8_t, 4> kChunkMagic = {'H', 'T', 'R', 'C'};

/// Chunk types from here on may be skipped by readers that do not know them.
inline constexpr std::uint8_t kFirstOptionalType = 128;
enum class ChunkType : std::uint8_t { events = 1, metadata = 2, end = 3, history = 128 };

enum class Compression : std::uint8_t { none = 0, zstd = 1 };

/// A stamp places an event in the total order. This one is after all of them.
inline constexpr std::uint64_t kAllStamps = ~std::uint64_t{0};

struct FileHeader {
    std::uint16_t major = kMajorVersion;
    std::uint16_t minor = kMinorVersion;
    std::uint32_t header_bytes = kFileHeaderBytes;
    std::uint64_t file_id = 0; ///< random: tells a file that was replaced from one that grew
};

struct ChunkHeader {
    std::uint8_t type = 0;
    Compression compression = Compression::none;
    std::uint32_t stored_bytes = 0; ///< of the payload that follows
    std::uint32_t raw_bytes = 0;    ///< of the payload once decompressed
    std::uint32_t events = 0;
    std::uint32_t stream = 0;      ///< the writer it comes from; stamps of a stream never decrease
    std::uint32_t sequence = 0;    ///< number of the chunk within its stream
    std::uint32_t plain_bytes = 0; ///< at the end of the payload, which are stored as they are
    std::uint64_t first_stamp = 0;
    std::uint64_t last_stamp = 0;
    std::uint64_t stable = 0; ///< every event with a smaller stamp is in this chunk or before it
    std::uint64_t payload_hash = 0;
};

/// Order of the object dictionaries in a payload: blocks first, because variables refer to them.
inline constexpr std::array<ObjectKind, kObjectKinds> kDictionaryOrder = {
    ObjectKind::block,   ObjectKind::thread,    ObjectKind::lock, ObjectKind::variable, ObjectKind::condition,
    ObjectKind::barrier, ObjectKind::semaphore, ObjectKind::once, ObjectKind::tag};

/// The place of a kind in an array with one element for each.
constexpr std::size_t index_of(ObjectKind kind) {
    return static_cast<std::size_t>(kind);
}

/// Events name objects by page and place in it: objects that are made together have keys that follow each
/// other, and a page of them costs as little as one.
inline constexpr std::uint32_t kKeysPerPage = 16;

/// Bits of a site's second byte; the memory order stands between them.
inline constexpr std::uint8_t kSiteHasValue = 1;
inline constexpr std::uint8_t kSiteIsTold = 16;
/// Bits of a run's first number; its count stands above them.
inline constexpr unsigned kRunSameStamp = 1;
inline constexpr unsigned kRunOtherThread = 2;

/// Bits of an object dictionary entry: which attributes follow its key.
inline constexpr std::uint8_t kHasName = 1;
inline constexpr std::uint8_t kHasAddress = 2;
inline constexpr std::uint8_t kHasSize = 4;
inline constexpr std::uint8_t kHasBlock = 8;

using FileHeaderBytes = std::array<std::uint8_t, kFileHeaderBytes>;
using ChunkHeaderBytes = std::array<std::uint8_t, kChunkHeaderBytes>;

[[nodiscard]] FileHeaderBytes encode(const FileHeader& header);
[[nodiscard]] ChunkHeaderBytes encode(const ChunkHeader& header);

/// What is wrong with a header, in words, or the header.
template<typename Header>
struct Decoded {
    Header header;
    std::string problem; ///< empty: the header is good
};
/// `verify`: fuzzers switch checksums off to get past them.
[[nodiscard]] Decoded<FileHeader> decode_file_header(const FileHeaderBytes& bytes, bool verify);
[[nodiscard]] Decoded<ChunkHeader> decode_chunk_header(const ChunkHeaderBytes& bytes, bool verify);

} // namespace heddle::htr
