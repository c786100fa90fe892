#include "traces/htr/writer.h"

#include "traces/hash.h"
#include "traces/htr/metadata_chunk.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <random>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zstd.h>

namespace heddle::htr {

namespace {

std::uint64_t random_id() {
    std::random_device device;
    return static_cast<std::uint64_t>(device()) << 32U | device();
}

std::string reason(int error) {
    return std::generic_category().message(error);
}

} // namespace

Result<std::unique_ptr<Writer>> Writer::create(const std::string& path, WriterOptions options) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
    if (descriptor < 0) return fail(fmt::format("{}: cannot be written: {}", path, reason(errno)));
    return adopt(descriptor, path, options);
}

Result<std::unique_ptr<Writer>> Writer::adopt(int descriptor, const std::string& path,
                                              WriterOptions options) {
    if (options.file_id == 0) options.file_id = random_id();
    std::unique_ptr<Writer> writer(new Writer(path, descriptor, options));
    const FileHeaderBytes header = encode(FileHeader{.file_id = options.file_id});
    if (auto written = writer->append(Bytes(header.begin(), header.end())); !written) {
        return tl::make_unexpected(written.error());
    }
    return writer;
}

Writer::Writer(std::string path, int descriptor, WriterOptions options)
    : path_(std::move(path)), descriptor_(descriptor), options_(options) {}

Writer::~Writer() {
    ::close(descriptor_);
    for (Slot* slot = slots_.load(); slot != nullptr;) delete std::exchange(slot, slot->next);
}

Writer::Slot* Writer::add_slot(std::uint64_t from_stamp) {
    auto slot = std::make_unique<Slot>();
    slot->pending_from.store(from_stamp, std::memory_order_relaxed);
    slot->number = next_stream_.fetch_add(1);
    slot->next = slots_.load();
    while (!slots_.compare_exchange_weak(slot->next, slot.get())) {
    }
    return slot.release();
}

std::unique_ptr<Stream> Writer::open_stream(std::uint64_t from_stamp) {
    return std::unique_ptr<Stream>(new Stream(*this, add_slot(from_stamp)));
}

std::uint64_t Writer::stable_without(const Slot* own) const {
    std::uint64_t stable = kAllStamps;
    for (const Slot* slot = slots_.load(); slot != nullptr; slot = slot->next) {
        if (slot != own) stable = std::min(stable, slot->pending_from.load(std::memory_order_acquire));
    }
    return stable;
}

Result<void> Writer::append(const Bytes& bytes) {
    if (auto before = status(); !before) return before;
    ssize_t written = 0;
    do {
        written = ::write(descriptor_, bytes.data(), bytes.size());
    } while (written < 0 && errno == EINTR);
    if (written != static_cast<ssize_t>(bytes.size())) {
        // A chunk in two writes could be split by another stream's: a short write is the end of the file.
        int expected = 0;
        failed_errno_.compare_exchange_strong(expected, written < 0 ? errno : ENOSPC);
        return status();
    }
    bytes_.fetch_add(bytes.size(), std::memory_order_relaxed);
    return {};
}

Result<void> Writer::append_small(ChunkType type, const Bytes& payload, std::uint64_t stable) {
    const auto size = static_cast<std::uint32_t>(payload.size());
    const ChunkHeaderBytes header =
        encode(ChunkHeader{.type = static_cast<std::uint8_t>(type),
                           .stored_bytes = size,
                           .raw_bytes = size,
                           .stable = stable,
                           .payload_hash = hash_bytes(payload.data(), payload.size())});
    Bytes chunk(header.begin(), header.end());
    chunk.insert(chunk.end(), payload.begin(), payload.end());
    return append(chunk);
}

Result<void> Writer::write_metadata(const Metadata& metadata) {
    return append_small(ChunkType::metadata, encode_metadata(metadata), 0);
}

Result<void> Writer::close() {
    return append_small(ChunkType::end, {}, kAllStamps);
}

Result<void> Writer::status() const {
    const int error = failed_errno_.load();
    if (error == 0) return {};
    return fail(
        fmt::format("{}: writing stopped: {}; what comes before the first event that is missing is readable", path_, reason(error)));
}

ChunkPress::ChunkPress() : compressor_(nullptr, ZSTD_freeCCtx) {}

Stream::Stream(Writer& writer, Writer::Slot* slot) : writer_(writer), slot_(slot) {}

Stream::~Stream() {
    slot_->pending_from.store(kAllStamps, std::memory_order_release);
}

std::size_t ChunkPress::compress(int level, std::span<const std::uint8_t> bytes, std::uint8_t* to,
                                 std::size_t room) {
    if (compressor_ == nullptr) compressor_.reset(ZSTD_createCCtx());
    ZSTD_CCtx_setParameter(compressor_.get(), ZSTD_c_compressionLevel, level);
    return ZSTD_compress2(compressor_.get(), to, room, bytes.data(), bytes.size());
}

bool ChunkPress::shrinks(int level, std::span<const std::uint8_t> bytes) {
    std::array<std::uint8_t, ZSTD_COMPRESSBOUND(kSample)> room;
    const auto sample = bytes.subspan(bytes.size() / 4, std::min(kSample, bytes.size() / 4));
    return compress(level, sample, room.data(), room.size()) < sample.size() - sample.size() / 8;
}

/// Fills in what the header says of the payload.
Result<void> Writer::store_payload(ChunkPress& press, std::size_t targets, ChunkHeader& header) const {
    const std::span<const std::uint8_t> payload(press.payload_);
    Bytes& chunk = press.chunk_;
    header.raw_bytes = static_cast<std::uint32_t>(payload.size());
    chunk.resize(kChunkHeaderBytes + ZSTD_compressBound(payload.size()));
    std::uint8_t* const start = chunk.data() + kChunkHeaderBytes;
    std::span<const std::uint8_t> plain = payload;
    std::size_t compressed = 0;
    if (options_.zstd_level != 0) {
        const bool small = bytes_.load(std::memory_order_relaxed) < options_.small_file;
        const int level = small ? std::max(options_.zstd_level, 1) : options_.zstd_level;
        const bool all = level > 0 || press.shrinks(level, payload.subspan(targets));
        plain = all ? payload.subspan(payload.size()) : payload.subspan(targets);
        compressed = press.compress(level, payload.first(payload.size() - plain.size()), start,
                                    chunk.size() - kChunkHeaderBytes - plain.size());
        if (ZSTD_isError(compressed) != 0)
            return fail(fmt::format("compression failed: {}", ZSTD_getErrorName(compressed)));
        header.compression = Compression::zstd;
        header.plain_bytes = static_cast<std::uint32_t>(plain.size());
    }
    std::copy(plain.begin(), plain.end(), start + compressed);
    header.stored_bytes = static_cast<std::uint32_t>(compressed + plain.size());
    header.payload_hash = hash_bytes(start, header.stored_bytes);
    chunk.resize(kChunkHeaderBytes + header.stored_bytes);
    return {};
}

/// Fills in what the payload says and appends the chunk; the encoder is empty afterwards.
Result<void> Writer::append_events(ChunkEncoder& encoder, ChunkPress& press, ChunkHeader header) {
    press.payload_.clear();
    const std::size_t targets = encoder.finish(press.payload_);
    if (auto stored = store_payload(press, targets, header); !stored) return stored;
    header.events = static_cast<std::uint32_t>(encoder.events());
    header.first_stamp = encoder.first_stamp();
    header.last_stamp = encoder.last_stamp();
    const ChunkHeaderBytes bytes = encode(header);
    std::copy(bytes.begin(), bytes.end(), press.chunk_.begin());
    encoder.reset();
    return append(press.chunk_);
}

Result<void> Writer::append_history(ChunkEncoder& encoder, ChunkPress& press) {
    return append_events(encoder, press, {.type = static_cast<std::uint8_t>(ChunkType::history)});
}

Result<void> Stream::flush(std::uint64_t next_stamp) {
    return flush(encoder_, press_, next_stamp);
}

Result<void> Stream::flush(ChunkEncoder& encoder, ChunkPress& press, std::uint64_t next_stamp) {
    auto written = writer_.append_events(encoder, press,
                                         {.type = static_cast<std::uint8_t>(ChunkType::events),
                                          .stream = slot_->number,
                                          .sequence = sequence_,
                                          .stable = std::min(next_stamp, writer_.stable_without(slot_))});
    ++sequence_;
    // Only now may others call these events stable: their chunks come after this one.
    if (written) advance(next_stamp);
    return written;
}

} // namespace heddle::htr
