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
    offset_ = file_header_.header_bytes;
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

ChunkScanner::Step ChunkScanner::next() {
    const auto size = file_->size();
    if (!size) return stop(Step::unreadable, size.error().message);
    file_bytes_ = *size;
    if (offset_ >= file_bytes_) return Step::at_end;

    ChunkHeaderBytes bytes{};
    const auto got = file_->read_at(offset_, bytes);
    if (!got) return stop(Step::unreadable, got.error().message);
    if (*got < bytes.size()) return Step::mid_chunk;
    Decoded<ChunkHeader> decoded = decode_chunk_header(bytes, verify_);
    if (!decoded.problem.empty()) return stop(Step::corrupt, std::move(decoded.problem));
    const ChunkHeader& header = decoded.header;
    if (header.stored_bytes > limits_.max_chunk_bytes || header.raw_bytes > limits_.max_chunk_bytes ||
        header.events > limits_.max_chunk_events) {
        return stop(
            Step::corrupt,
            fmt::format("a chunk of {} bytes ({} stored) and {} events is larger than any writer makes",
                        header.raw_bytes, header.stored_bytes, header.events));
    }
    if (file_bytes_ - offset_ - bytes.size() < header.stored_bytes) return Step::mid_chunk;

    chunk_.payload.resize(header.stored_bytes);
    const auto payload = file_->read_at(offset_ + bytes.size(), chunk_.payload);
    if (!payload) return stop(Step::unreadable, payload.error().message);
    if (*payload < chunk_.payload.size()) return Step::mid_chunk;
    if (verify_ && hash_bytes(chunk_.payload.data(), chunk_.payload.size()) != header.payload_hash) {
        return stop(Step::corrupt, "checksum differs");
    }
    chunk_.header = header;
    chunk_.number = number_++;
    chunk_.offset = offset_;
    offset_ += bytes.size() + header.stored_bytes;
    return Step::chunk;
}

} // namespace heddle::htr
