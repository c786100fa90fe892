// A program for tests to watch and to kill: several threads write a generated trace to a .htr file, each
// through a stream of its own, in small chunks and at their own pace, as a recorder would.
//
//   live_writer FILE SEED THREADS EVENTS PAUSE_US
#include "live_trace.h"
#include "traces/htr/trace_chunker.h"
#include "traces/htr/writer.h"

#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace heddle {
namespace {

constexpr std::size_t kEventsPerChunk = 20;

void write_thread(const Trace& trace, ThreadId thread, htr::Stream& stream, std::chrono::microseconds pause) {
    htr::TraceChunker chunker(trace);
    chunker.start_chunk(stream.encoder());
    const ThreadIndex& events = trace.events_of(thread);
    for (std::size_t i = 0; i < events.size(); ++i) {
        const EventId id{events[i]};
        chunker.event(trace[id], id.value);
        const bool last = i + 1 == events.size();
        if (!last && stream.encoder().events() < kEventsPerChunk) continue;
        if (!stream.flush(last ? htr::kAllStamps : events[i + 1])) std::exit(3);
        chunker.start_chunk(stream.encoder());
        std::this_thread::sleep_for(pause);
    }
}

/// What is known of all objects, in a chunk without events.
bool write_objects(const Trace& trace, htr::Stream& stream) {
    htr::TraceChunker chunker(trace);
    chunker.start_chunk(stream.encoder());
    for (const ObjectKind kind : htr::kDictionaryOrder) {
        for (std::uint32_t id = 0; id < trace.objects(kind).size(); ++id) chunker.describe(kind, id);
    }
    return stream.flush(0).has_value();
}

int write_live(const std::string& path, const Trace& trace, std::chrono::microseconds pause) {
    auto writer = htr::Writer::create(path, {});
    if (!writer || !(*writer)->write_metadata(trace.metadata())) return 3;
    std::vector<std::unique_ptr<htr::Stream>> streams;
    for (std::size_t i = 0; i < trace.thread_count(); ++i) {
        const ThreadIndex& events = trace.events_of(ThreadId{i});
        streams.push_back((*writer)->open_stream(events.empty() ? htr::kAllStamps : events.front()));
    }
    if (!write_objects(trace, *streams.front())) return 3;
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < streams.size(); ++i) {
            threads.emplace_back([&, i] { write_thread(trace, ThreadId{i}, *streams[i], pause); });
        }
    }
    return (*writer)->close() ? 0 : 3;
}

} // namespace
} // namespace heddle

int main(int argc, char** argv) {
    if (argc != 6) return 2;
    const heddle::Trace trace = heddle::test::live_trace(std::strtoull(argv[2], nullptr, 10),
                                                         static_cast<std::uint32_t>(std::atoi(argv[3])),
                                                         std::strtoull(argv[4], nullptr, 10));
    return heddle::write_live(argv[1], trace, std::chrono::microseconds(std::atoi(argv[5])));
}
