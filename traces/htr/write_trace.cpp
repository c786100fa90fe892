#include "traces/htr/write_trace.h"

#include "traces/htr/trace_chunker.h"
#include "traces/htr/writer.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace heddle::htr {

namespace {

constexpr std::size_t kDefinitionBytes = std::size_t{1} << 20U;

/// All tables in id order, so that readers give the same ids again. Event chunks repeat the rows they use,
/// but of objects only the keys: there may be many.
class DefinitionWriter {
  public:
    DefinitionWriter(Stream& stream, const Trace& trace) : stream_(stream), chunker_(trace) {
        chunker_.start_chunk(stream_.encoder());
    }

    Result<void> write() {
        const Trace& trace = chunker_.trace();
        each(trace.string_count(), [&](std::uint32_t row) { chunker_.string(StringId{row}); });
        each(trace.modules().size(), [&](std::uint32_t row) { chunker_.module(ModuleId{row}); });
        each(trace.places().size(), [&](std::uint32_t row) { chunker_.place(PlaceId{row}); });
        each(trace.stacks().size(), [&](std::uint32_t row) { chunker_.stack(StackId{row}); });
        for (const ObjectKind kind : kDictionaryOrder) {
            each(trace.objects(kind).size(), [&](std::uint32_t row) { chunker_.describe(kind, row); });
        }
        flush();
        return result_;
    }

  private:
    template<typename Define>
    void each(std::size_t rows, Define&& define) {
        for (std::size_t row = 0; row < rows; ++row) {
            define(static_cast<std::uint32_t>(row));
            if (stream_.encoder().bytes() > kDefinitionBytes) flush();
        }
    }
    void flush() {
        if (result_) result_ = stream_.flush(0);
        chunker_.start_chunk(stream_.encoder());
    }

    Stream& stream_;
    TraceChunker chunker_;
    Result<void> result_;
};

/// The events of one stream on their way into chunks.
struct Lane {
    std::unique_ptr<Stream> stream;
    std::unique_ptr<TraceChunker> chunker;

    Lane(Writer& writer, const Trace& trace, Contents* contents)
        : stream(writer.open_stream()), chunker(std::make_unique<TraceChunker>(trace, contents)) {
        chunker->start_chunk(stream->encoder());
    }
    [[nodiscard]] Result<void> flush(std::uint64_t next_stamp) const {
        auto result = stream->flush(next_stamp);
        chunker->start_chunk(stream->encoder());
        return result;
    }
};

} // namespace

Result<void> write_trace(const Trace& trace, const std::string& path, const WriteTraceOptions& options,
                         const Progress& progress) {
    auto created = Writer::create(path, {.zstd_level = options.zstd_level, .file_id = options.file_id});
    if (!created) return tl::make_unexpected(created.error());
    Writer& writer = **created;

    if (auto result = writer.write_metadata(trace.metadata()); !result) return result;
    std::vector<Lane> lanes;
    Contents contents(trace.objects(ObjectKind::variable).size());
    lanes.emplace_back(writer, trace, &contents);
    if (auto result = DefinitionWriter(*lanes[0].stream, trace).write(); !result) return result;
    lanes[0].chunker->start_chunk(lanes[0].stream->encoder());
    if (options.stream_per_thread) {
        while (lanes.size() < trace.thread_count()) lanes.emplace_back(writer, trace, &contents);
    }

    for (const EventView event : trace.events()) {
        Lane& lane = lanes[options.stream_per_thread ? event.thread().value : 0];
        lane.chunker->event(event, event.id().value);
        if (lane.stream->encoder().events() < options.events_per_chunk) continue;
        if (auto result = lane.flush(event.id().value + 1); !result) return result;
        if (progress && !progress(event.id().value, trace.size())) return fail("stopped before the end");
    }
    for (Lane& lane : lanes) {
        if (lane.stream->encoder().events() == 0) continue;
        if (auto result = lane.flush(kAllStamps); !result) return result;
    }
    return writer.close();
}

} // namespace heddle::htr
