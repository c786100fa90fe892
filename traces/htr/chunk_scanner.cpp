#include "traces/htr/chunk_scanner.h"

#include "traces/hash.h"

#include <fmt/format.h>

namespace heddle::htr {

Result<void> ChunkScanner::start() {
    FileHeaderBytes bytes{};
    const auto got = file_->read_at(0, bytes);
    if (!got) return tl::make_unexpected(got.error());
    if (*got < bytes.size()) {
        return fail(fmt::format("too short for a trace: {} bytes, where the file header alone has {}", *got,
                                bytes.size()));
    }
    const Decoded<FileHeader> decoded = decode_file_header(bytes, verify_);
    if (!decoded.problem.empty()) return fail(decoded.problem);
    file_header_ = decoded.header;
    offset_ = ahead_ = file_header_.header_bytes;
    return {};
}

bool ChunkScanner::same_file() const {
    const auto size = file_->size();
    if (!size || *size < offset_ || !file_->still_named()) return false;
    FileHeaderBytes bytes{};
    const auto got = file_->read_at(0, bytes);
    return got && *got == bytes.size() &&
           decode_file_header(bytes, verify_).header.file_id == file_header_.file_id;
}

ChunkScanner::Step ChunkScanner::read_header(std::uint64_t offset, ChunkHeader& header) {
    const auto size = file_->size();
    if (!size) return stop(Step::unreadable, size.error().message);
    file_bytes_ = *size;
    if (offset >= file_bytes_) return Step::at_end;

    ChunkHeaderBytes bytes{};
    const auto got = file_->read_at(offset, bytes);
    if (!got) return stop(Step::unreadable, got.error().message);
    if (*got < bytes.size()) return Step::mid_chunk;
    Decoded<ChunkHeader> decoded = decode_chunk_header(bytes, verify_);
    if (!decoded.problem.empty()) return stop(Step::corrupt, std::move(decoded.problem));
    header = decoded.header;
    if (header.stored_bytes > limits_.max_chunk_bytes || header.raw_bytes > limits_.max_chunk_bytes ||
        header.events > limits_.max_chunk_events) {
        return stop(
            Step::corrupt,
            fmt::format("a chunk of {} bytes ({} stored) and {} events is larger than any writer makes",
                        header.raw_bytes, header.stored_bytes, header.events));
    }
    return file_bytes_ - offset - bytes.size() < header.stored_bytes ? Step::mid_chunk : Step::chunk;
}

/// The payload of the chunk at `offset`, whose header is known.
ChunkScanner::Step ChunkScanner::read_payload(std::uint64_t offset, StoredChunk& chunk) {
    chunk.payload.resize(chunk.header.stored_bytes);
    const auto payload = file_->read_at(offset + kChunkHeaderBytes, chunk.payload);
    if (!payload) return stop(Step::unreadable, payload.error().message);
    if (*payload < chunk.payload.size()) return Step::mid_chunk;
    if (verify_ && hash_bytes(chunk.payload.data(), chunk.payload.size()) != chunk.header.payload_hash) {
        return stop(Step::corrupt, "checksum differs");
    }
    return Step::chunk;
}

ChunkScanner::Step ChunkScanner::next() {
    ChunkHeader header;
    if (const Step step = read_header(offset_, header); step != Step::chunk) return step;
    chunk_.header = header;
    if (const Step step = read_payload(offset_, chunk_); step != Step::chunk) return step;
    chunk_.number = number_++;
    chunk_.offset = offset_;
    offset_ += kChunkHeaderBytes + header.stored_bytes;
    return Step::chunk;
}

bool ChunkScanner::next_history(StoredChunk& into) {
    ChunkHeader header;
    while (read_header(ahead_, header) == Step::chunk) {
        const bool wanted = header.type == static_cast<std::uint8_t>(ChunkType::history);
        into.header = header;
        if (wanted && read_payload(ahead_, into) != Step::chunk) return false;
        into.offset = ahead_;
        into.number = ahead_number_++;
        ahead_ += kChunkHeaderBytes + header.stored_bytes;
        if (wanted) return true;
        if (header.type == static_cast<std::uint8_t>(ChunkType::end)) return false;
    }
    return false;
}

} // namespace heddle::htr
