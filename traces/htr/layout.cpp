#include "traces/htr/layout.h"

#include "traces/hash.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace heddle::htr {

namespace {

constexpr std::size_t kFileHashAt = 24;
constexpr std::size_t kChunkHashAt = 64;

template<typename Number, std::size_t N>
void put(std::array<std::uint8_t, N>& bytes, std::size_t at, Number number) {
    std::memcpy(bytes.data() + at, &number, sizeof(number));
}

template<typename Number, std::size_t N>
Number get(const std::array<std::uint8_t, N>& bytes, std::size_t at) {
    Number number;
    std::memcpy(&number, bytes.data() + at, sizeof(number));
    return number;
}

} // namespace

FileHeaderBytes encode(const FileHeader& header) {
    FileHeaderBytes bytes{};
    std::copy(kFileMagic.begin(), kFileMagic.end(), bytes.begin());
    put(bytes, 8, header.major);
    put(bytes, 10, header.minor);
    put(bytes, 12, header.header_bytes);
    put(bytes, 16, header.file_id);
    put(bytes, kFileHashAt, hash_bytes(bytes.data(), kFileHashAt));
    return bytes;
}

Decoded<FileHeader> decode_file_header(const FileHeaderBytes& bytes, bool verify) {
    if (!std::equal(kFileMagic.begin(), kFileMagic.end(), bytes.begin())) {
        return {{}, "not a Heddle trace (.htr): the first bytes differ"};
    }
    FileHeader header{.major = get<std::uint16_t>(bytes, 8),
                      .minor = get<std::uint16_t>(bytes, 10),
                      .header_bytes = get<std::uint32_t>(bytes, 12),
                      .file_id = get<std::uint64_t>(bytes, 16)};
    // The version comes before the checksum: a later version may compute it over other bytes.
    if (header.major > kMajorVersion) {
        return {header,
                fmt::format("version {}.{} of the trace format is newer than this program, which reads "
                            "up to {}.x: update heddle, or record again with this one",
                            header.major, header.minor, kMajorVersion)};
    }
    if (verify && get<std::uint64_t>(bytes, kFileHashAt) != hash_bytes(bytes.data(), kFileHashAt)) {
        return {header, "the file header is damaged: its checksum differs"};
    }
    if (header.major == 0 || header.header_bytes < kFileHeaderBytes || header.header_bytes > 4096) {
        return {header, "the file header is damaged: impossible version or size"};
    }
    return {header, {}};
}

ChunkHeaderBytes encode(const ChunkHeader& header) {
    ChunkHeaderBytes bytes{};
    std::copy(kChunkMagic.begin(), kChunkMagic.end(), bytes.begin());
    put(bytes, 4, header.type);
    put(bytes, 5, header.compression);
    put(bytes, 8, header.stored_bytes);
    put(bytes, 12, header.raw_bytes);
    put(bytes, 16, header.events);
    put(bytes, 20, header.stream);
    put(bytes, 24, header.sequence);
    put(bytes, 28, header.plain_bytes);
    put(bytes, 32, header.first_stamp);
    put(bytes, 40, header.last_stamp);
    put(bytes, 48, header.stable);
    put(bytes, 56, header.payload_hash);
    put(bytes, kChunkHashAt, hash_bytes(bytes.data(), kChunkHashAt));
    return bytes;
}

Decoded<ChunkHeader> decode_chunk_header(const ChunkHeaderBytes& bytes, bool verify) {
    if (!std::equal(kChunkMagic.begin(), kChunkMagic.end(), bytes.begin())) {
        return {{}, "no chunk starts here"};
    }
    if (verify && get<std::uint64_t>(bytes, kChunkHashAt) != hash_bytes(bytes.data(), kChunkHashAt)) {
        return {{}, "the chunk header's checksum differs"};
    }
    return {{.type = bytes[4],
             .compression = static_cast<Compression>(bytes[5]),
             .stored_bytes = get<std::uint32_t>(bytes, 8),
             .raw_bytes = get<std::uint32_t>(bytes, 12),
             .events = get<std::uint32_t>(bytes, 16),
             .stream = get<std::uint32_t>(bytes, 20),
             .sequence = get<std::uint32_t>(bytes, 24),
             .plain_bytes = get<std::uint32_t>(bytes, 28),
             .first_stamp = get<std::uint64_t>(bytes, 32),
             .last_stamp = get<std::uint64_t>(bytes, 40),
             .stable = get<std::uint64_t>(bytes, 48),
             .payload_hash = get<std::uint64_t>(bytes, 56)},
            {}};
}

} // namespace heddle::htr
