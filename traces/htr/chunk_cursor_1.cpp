// What differs in the chunks of files of version 1: events name entries of the object dictionaries, and each
// value is relative to the last one of its object.
#include "traces/htr/chunk_cursor.h"

namespace heddle::htr {

std::string ChunkCursor::open_1(ByteReader& in, const ChunkHeader& header, FileTables& tables) {
    for (const ObjectKind kind : kDictionaryOrder) {
        Objects& objects = objects_[index_of(kind)];
        objects.ids.assign(1, kNoTarget);
        if (std::string problem = read_facts(in, tables, kind, &objects.ids); !problem.empty())
            return problem;
        objects.last_values_1.assign(objects.ids.size(), 0);
    }
    if (!in.ok()) return "its dictionaries are malformed";
    if (std::string problem = read_sites(in); !problem.empty()) return problem;
    if (std::string problem = read_runs_1(in, header); !problem.empty()) return problem;
    if (std::string problem = read_columns(in, header.events); !problem.empty()) return problem;
    values_ = ByteReader(in.bytes(in.count()));
    if (!in.ok()) return "its value column is malformed";
    start_run();
    return {};
}

std::string ChunkCursor::read_runs_1(ByteReader& in, const ChunkHeader& header) {
    const std::vector<std::uint32_t>& threads = objects_[index_of(ObjectKind::thread)].ids;
    const std::size_t count = in.count(3);
    runs_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t thread = in.below(threads.size() - 1);
        const std::uint64_t gap = in.number();
        const std::uint64_t packed = in.number();
        if (!in.ok()) return "its runs are malformed";
        if (std::string problem =
                add_run(threads[thread + 1], gap, packed >> 1U, (packed & kRunSameStamp) != 0, header);
            !problem.empty())
            return problem;
    }
    return in.ok() && run_events_ == header.events ? std::string() : "its runs do not add up to its events";
}

bool ChunkCursor::decode_1(std::size_t count, ThreadId thread, TraceBuilder& builder) {
    ByteReader values = values_; // a local one stays in registers
    while (count > 0) {
        const TraceBuilder::Room room = builder.room(count);
        const std::size_t batch = room.heads.size();
        const std::uint32_t* sites = sites_of_events_.data() + position_;
        const std::uint32_t* targets = targets_of_events_.data() + position_;
        for (std::size_t i = 0; i < batch; ++i) {
            const Site& site = sites_[sites[i]];
            const std::uint32_t number = targets[i];
            if (number < site.first_target || number > site.last_target) return false;
            std::uint64_t raw = 0;
            if (site.head.has_value()) {
                Objects& objects = objects_[index_of(*traits(site.head.kind()).target)];
                std::uint64_t& last = objects.last_values_1[number];
                raw = last += unzigzag(values.number());
                if (site.head.kind() == EventKind::atomic_rmw) {
                    last += unzigzag(values.number());
                    raw = builder.rmw_column(site.head.bytes(), raw, last).raw;
                }
            }
            room.heads[i] = site.head.with_thread(thread);
            room.targets[i] = site.targets[number];
            room.values[i] = raw;
        }
        if (!values.ok()) return false;
        builder.commit(thread, batch);
        position_ += batch;
        count -= batch;
    }
    values_ = values;
    return true;
}

} // namespace heddle::htr
