#include "traces/htr/reader.h"

#include "traces/htr/metadata_chunk.h"

#include <algorithm>

#include <fmt/format.h>
#include <zstd.h>

namespace heddle::htr {

namespace {
/// Smaller chunks are decompressed sooner than a thread is started.
constexpr std::size_t kWorthAThread = std::size_t{128} << 10U;
/// Each history chunk is merged like a stream of its own, after the streams of threads.
constexpr std::uint32_t kFirstHistory = 0x8000'0000;
} // namespace

Result<std::unique_ptr<Reader>> Reader::open(const std::string& path, ReadOptions options) {
    auto file = open_file(path);
    if (!file) return tl::make_unexpected(file.error());
    return open(std::move(*file), path, std::move(options));
}

Result<std::unique_ptr<Reader>> Reader::open(std::unique_ptr<RandomAccess> file, std::string name,
                                             ReadOptions options) {
    std::unique_ptr<Reader> reader(new Reader(std::move(file), std::move(name), std::move(options)));
    if (auto started = reader->scanner_.start(); !started) {
        return fail(fmt::format("{}: {}", reader->name_, started.error().message));
    }
    return reader;
}

Reader::Reader(std::unique_ptr<RandomAccess> file, std::string name, ReadOptions options)
    : name_(std::move(name)), options_(std::move(options)),
      scanner_(std::move(file), options_.limits, options_.verify_checksums), tables_(builder_),
      damage_(options_.limits.max_damage_reported) {}

std::string Reader::place_of(std::uint64_t number, std::uint64_t offset) const {
    return fmt::format("{}: chunk {} at byte {}", name_, number, offset);
}

bool Reader::stop(DamageKind kind, const StoredChunk& chunk, const std::string& what) {
    damage_.add({kind, place_of(chunk.number, chunk.offset), what + "; events before it were kept"});
    state_ = State::damaged;
    return false;
}

Reader::State Reader::poll() {
    if (state_ == State::growing && !scanner_.same_file()) state_ = State::replaced;
    if (state_ == State::growing && !accept_history()) return state_;
    while (state_ == State::growing) {
        switch (scanner_.next()) {
        case ChunkScanner::Step::chunk: {
            // Merging stays a chunk behind, so that the next one is decompressed in the meantime.
            const std::uint64_t stable_before = stable_;
            if (!accept(scanner_.chunk()) || !merge(stable_before)) return state_;
            break;
        }
        case ChunkScanner::Step::at_end:
        case ChunkScanner::Step::mid_chunk: merge(stable_); return state_;
        case ChunkScanner::Step::corrupt:
        case ChunkScanner::Step::unreadable:
            if (merge(stable_)) {
                stop(DamageKind::corrupt, {.number = scanner_.number(), .offset = scanner_.offset()},
                     scanner_.problem());
            }
            return state_;
        }
        if (options_.progress && !options_.progress(scanner_.offset(), scanner_.file_bytes())) {
            stop(DamageKind::limit, {.number = scanner_.number(), .offset = scanner_.offset()},
                 "reading was stopped");
        }
    }
    merge(stable_);
    return state_;
}

bool Reader::accept(StoredChunk& chunk) {
    const std::uint8_t type = chunk.header.type;
    if (type == static_cast<std::uint8_t>(ChunkType::events)) return accept_events(chunk);
    if (type == static_cast<std::uint8_t>(ChunkType::end)) {
        state_ = State::closed;
        stable_ = kAllStamps;
        return true;
    }
    if (type == static_cast<std::uint8_t>(ChunkType::metadata)) {
        const Payload payload = decompress(chunk);
        if (!payload.problem.empty()) return stop(DamageKind::corrupt, chunk, payload.problem);
        if (!decode_metadata(payload.bytes, builder_.metadata())) {
            return stop(DamageKind::corrupt, chunk, "its metadata is malformed");
        }
        return true;
    }
    if (type == static_cast<std::uint8_t>(ChunkType::history)) return accept_history();
    if (type >= kFirstOptionalType) return true;
    return stop(
        DamageKind::corrupt, chunk,
        fmt::format("its type {} is unknown and cannot be skipped: the trace is from a newer heddle", type));
}

bool Reader::accept_events(StoredChunk& chunk) {
    const ChunkHeader& header = chunk.header;
    if (streams_.size() >= options_.limits.max_streams && !streams_.contains(header.stream)) {
        return stop(DamageKind::limit, chunk, fmt::format("there are more than {} streams", streams_.size()));
    }
    StreamState& stream = streams_[header.stream];
    if (header.sequence != stream.next_sequence) {
        return stop(
            DamageKind::corrupt, chunk,
            fmt::format("chunk {} of stream {} is missing before it", stream.next_sequence, header.stream));
    }
    if (header.events > 0 &&
        (header.first_stamp < stream.last_stamp || header.last_stamp < header.first_stamp)) {
        return stop(DamageKind::corrupt, chunk, "its stamps are before those of its stream");
    }
    ++stream.next_sequence;
    if (header.events > 0) stream.last_stamp = header.last_stamp;
    stable_ = std::max(stable_, header.stable);
    const std::uint32_t number = header.stream;
    stream.waiting.push_back(std::move(chunk));
    if (stream.front == nullptr) return open_front(number, stream);
    decompress_ahead(stream);
    return true;
}

/// Takes the history chunks that are in the file. One that tells of a past which is already in the trace
/// makes the trace incomplete: only a new reading can put it in its place.
bool Reader::accept_history() {
    StoredChunk chunk;
    while (scanner_.next_history(chunk)) {
        if (chunk.header.events > 0 && chunk.header.first_stamp < merged_) {
            state_ = State::replaced;
            return false;
        }
        if (streams_.size() >= options_.limits.max_streams) {
            return stop(DamageKind::limit, chunk,
                        fmt::format("there are more than {} streams", streams_.size()));
        }
        const std::uint32_t number = kFirstHistory + histories_++;
        StreamState& stream = streams_[number];
        stream.waiting.push_back(std::move(chunk));
        if (!open_front(number, stream)) return false;
    }
    return true;
}

void Reader::decompress_ahead(StreamState& stream) {
    if (stream.ahead.valid() || stream.waiting.empty() ||
        stream.waiting.front().header.raw_bytes < kWorthAThread)
        return;
    // A deque's elements stay where they are while others come and go at its ends.
    stream.ahead =
        std::async(std::launch::async, [&chunk = stream.waiting.front()] { return decompress(chunk); });
}

/// Starts on the next chunk of a stream that has events, if one is waiting.
bool Reader::open_front(std::uint32_t number, StreamState& stream) {
    while (!stream.waiting.empty()) {
        Payload payload = stream.ahead.valid() ? stream.ahead.get() : decompress(stream.waiting.front());
        StoredChunk chunk = std::move(stream.waiting.front());
        stream.waiting.pop_front();
        if (!payload.problem.empty()) return stop(DamageKind::corrupt, chunk, payload.problem);
        decompress_ahead(stream);
        if (spare_cursors_.empty()) spare_cursors_.push_back(std::make_unique<ChunkCursor>());
        auto cursor = std::move(spare_cursors_.back());
        spare_cursors_.pop_back();
        if (std::string problem =
                cursor->open(std::move(payload.bytes), chunk.header, scanner_.major(), tables_);
            !problem.empty()) {
            return stop(DamageKind::corrupt, chunk, problem);
        }
        if (!cursor->done()) {
            stream.front = std::move(cursor);
            chunk.payload = {};
            stream.front_chunk = std::move(chunk);
            heads_.push_back({stream.front->next_stamp(), number});
            std::push_heap(heads_.begin(), heads_.end());
            return true;
        }
        spare_cursors_.push_back(std::move(cursor));
    }
    return true;
}

/// Moves events into the trace, in order, as far as nothing earlier can still come.
bool Reader::merge(std::uint64_t stable) {
    if (state_ == State::damaged) return false;
    merged_ = std::max(merged_, stable);
    while (!heads_.empty() && heads_.front().stamp < stable) {
        std::pop_heap(heads_.begin(), heads_.end());
        const Head head = heads_.back();
        heads_.pop_back();
        StreamState& stream = streams_[head.stream];
        std::uint64_t bound = stable;
        if (!heads_.empty()) {
            // On equal stamps the lower stream number goes first.
            const Head& next = heads_.front();
            bound =
                std::min(bound, next.stamp + (head.stream < next.stream && next.stamp != kAllStamps ? 1 : 0));
        }
        if (builder_.size() + stream.front->events_left() > options_.limits.max_events) {
            return stop(DamageKind::limit, stream.front_chunk,
                        fmt::format("the trace has more than {} events", options_.limits.max_events));
        }
        if (std::string problem = stream.front->decode_below(bound, tables_); !problem.empty()) {
            return stop(DamageKind::corrupt, stream.front_chunk, problem);
        }
        if (!stream.front->done()) {
            heads_.push_back({stream.front->next_stamp(), head.stream});
            std::push_heap(heads_.begin(), heads_.end());
            continue;
        }
        if (!stream.front->has_right_values()) {
            return stop(DamageKind::corrupt, stream.front_chunk,
                        "the events before it do not tell the values that it leaves to them");
        }
        spare_cursors_.push_back(std::move(stream.front));
        if (!open_front(head.stream, stream)) return false;
    }
    return true;
}

Reader::Payload Reader::decompress(const StoredChunk& chunk) {
    Payload payload;
    switch (chunk.header.compression) {
    case Compression::none: payload.bytes = chunk.payload; break;
    case Compression::zstd: {
        const std::size_t plain = chunk.header.plain_bytes;
        if (plain > chunk.payload.size() || plain > chunk.header.raw_bytes) break;
        payload.bytes.resize(chunk.header.raw_bytes);
        const std::size_t size = ZSTD_decompress(payload.bytes.data(), payload.bytes.size() - plain,
                                                 chunk.payload.data(), chunk.payload.size() - plain);
        std::copy(chunk.payload.end() - static_cast<std::ptrdiff_t>(plain), chunk.payload.end(),
                  payload.bytes.end() - static_cast<std::ptrdiff_t>(plain));
        payload.bytes.resize(ZSTD_isError(size) != 0 ? 0 : size + plain);
        break;
    }
    default: payload.problem = "it is compressed in a way this program does not know"; return payload;
    }
    if (payload.bytes.size() != chunk.header.raw_bytes) {
        payload.problem = "it does not decompress to the size its header says";
    }
    return payload;
}

void Reader::finish() {
    std::uint64_t left_out = 0;
    for (const auto& [number, stream] : streams_) {
        if (stream.front) left_out += stream.front->events_left();
        for (const StoredChunk& chunk : stream.waiting) left_out += chunk.header.events;
    }
    const std::string tail =
        left_out == 0
            ? std::string()
            : fmt::format("; {} events beyond the last moment known to be complete were left out", left_out);
    if (state_ == State::growing) {
        const std::uint64_t extra =
            scanner_.file_bytes() - std::min(scanner_.file_bytes(), scanner_.offset());
        damage_.add(
            {DamageKind::incomplete, place_of(scanner_.number(), scanner_.offset()),
             (extra == 0 ? std::string("the file was not closed: its writer still runs or was killed")
                         : fmt::format("the file ends within this chunk, after {} bytes of it", extra)) +
                 "; events before it were kept" + tail});
    } else if (left_out > 0) {
        damage_.add({DamageKind::incomplete, name_, "the file cannot be read to its end" + tail});
    }
}

Result<HtrTrace> read_trace(const std::string& path, const ReadOptions& options) {
    auto reader = Reader::open(path, options);
    if (!reader) return tl::make_unexpected(reader.error());
    (*reader)->poll();
    (*reader)->finish();
    return HtrTrace{(*reader)->trace(), (*reader)->damage()};
}

} // namespace heddle::htr
