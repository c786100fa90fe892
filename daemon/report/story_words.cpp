#include "daemon/report/story_words.h"

#include "daemon/report/number_words.h"
#include "traces/describe.h"

#include <fmt/format.h>

namespace heddle::report {

namespace {

std::string_view file_name(std::string_view path) {
    return path.substr(path.find_last_of('/') + 1);
}

} // namespace

std::string short_place(const Trace& trace, PlaceId place) {
    std::string_view no_file;
    return next_place(trace, place, no_file);
}

std::string next_place(const Trace& trace, PlaceId id, std::string_view& file) {
    if (!id.valid()) return {};
    const Place& place = trace.places()[id.value];
    const std::string_view path = trace.string(place.file);
    if (!path.empty()) {
        std::string line = place.line == 0 ? "" : fmt::format(":{}", place.line);
        if (path == file && !line.empty()) return line;
        file = path;
        return fmt::format("{}{}", file_name(path), line);
    }
    if (place.module.valid()) {
        return fmt::format("{}+0x{:x}", file_name(trace.string(trace.modules()[place.module.value].path)),
                           place.offset);
    }
    return fmt::format("@{}", trace.string(place.label));
}

std::string held_words(const Trace& trace, const std::vector<HeldLock>& held) {
    if (held.empty()) return "holds nothing";
    std::vector<std::string> locks;
    locks.reserve(held.size());
    for (const HeldLock& one : held) {
        const std::string place = short_place(trace, trace.place_for_people(trace[one.since].stack()));
        locks.push_back(fmt::format("'{}'{}{}{}", trace.display_name(ObjectKind::lock, one.lock.value),
                                    one.mode == LockMode::shared ? " (shared)" : "",
                                    place.empty() ? "" : " since ", place));
    }
    return fmt::format("holds {}", fmt::join(locks, ", "));
}

std::string past_words(const Trace& trace, const StoryThread& thread) {
    std::string fork;
    if (thread.forked_by.valid()) {
        const std::string place = short_place(trace, trace.place_for_people(trace[thread.forked_by].stack()));
        if (!place.empty()) fork = " since its fork at " + place;
    }
    return fmt::format("{}{}, {}", counted(thread.before, "event"), fork,
                       held_words(trace, thread.held_before));
}

std::string gap_words(std::uint64_t events) {
    return "… " + counted(events, "event");
}

std::string others_words(std::uint64_t events) {
    return gap_words(events) + " of other threads";
}

} // namespace heddle::report
