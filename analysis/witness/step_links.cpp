#include "analysis/witness/step_links.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

namespace heddle {

namespace {

constexpr std::uint32_t kNobody = 0xFFFF'FFFF;

/// What others may wait for, of the event's target.
bool gives(EventKind kind) {
    switch (kind) {
    case EventKind::release:
    case EventKind::release_shared:
    case EventKind::notify:
    case EventKind::notify_all:
    case EventKind::barrier_enter:
    case EventKind::sem_post:
    case EventKind::once_end:
    case EventKind::happens_before: return true;
    default: return false;
    }
}

bool takes(const EventView& event) {
    switch (event.kind()) {
    case EventKind::acquire:
    case EventKind::acquire_shared:
    case EventKind::barrier_leave:
    case EventKind::sem_wait:
    case EventKind::once_seen:
    case EventKind::happens_after: return true;
    case EventKind::wait_post: return event.has_value(); // else it woke by itself
    default: return false;
    }
}

class LinkFinder {
  public:
    LinkFinder(const Trace& trace, std::span<const EventId> steps) : trace_(trace), steps_(steps) {}

    std::vector<StepLink> find() {
        for (std::uint32_t at = 0; at < steps_.size(); ++at) take(at);
        std::vector<StepLink> links;
        links.reserve(strongest_.size());
        for (const auto& [stretches, link] : strongest_) links.push_back(link);
        std::ranges::sort(links, {}, [](const StepLink& link) { return std::tie(link.to, link.from); });
        return links;
    }

  private:
    using Object = std::pair<ObjectKind, std::uint32_t>;
    using Writers = std::array<std::uint32_t, 8>; ///< by byte: the step that wrote it last

    void take(std::uint32_t at) {
        const EventView event = trace_[steps_[at]];
        const bool goes_on = at > 0 && trace_[steps_[at - 1]].thread() == event.thread();
        stretch_.push_back(at == 0 ? 0 : stretch_.back() + (goes_on ? 0 : 1));
        if (event.kind() == EventKind::join) {
            const auto last = last_of_.find(event.other_thread().value);
            if (last != last_of_.end()) link(LinkKind::order, last->second, at);
        } else if (takes(event)) {
            const auto giver = givers_.find(object_of(event));
            const bool lock = traits(event.kind()).target == ObjectKind::lock;
            if (giver != givers_.end()) link(lock ? LinkKind::lock : LinkKind::order, giver->second, at);
        }
        if (gives(event.kind())) givers_[object_of(event)] = at;
        if (is_access(event.kind())) access(event, at);
        last_of_[event.thread().value] = at;
    }

    void access(const EventView& event, std::uint32_t at) {
        Writers& writers = writers_.try_emplace(event.variable().value, kNoWriters).first->second;
        const ByteRange bytes = event.bytes();
        std::uint32_t seen = kNobody;
        for (std::size_t byte = bytes.offset; byte < bytes.offset + std::size_t{bytes.size}; ++byte) {
            const std::uint32_t writer = writers[byte];
            if (writer != kNobody && (seen == kNobody || writer > seen)) seen = writer;
            if (writes_memory(event.kind())) writers[byte] = at;
        }
        if (seen != kNobody && reads_memory(event.kind())) link(LinkKind::value, seen, at);
    }

    void link(LinkKind kind, std::uint32_t from, std::uint32_t to) {
        if (trace_[steps_[from]].thread() == trace_[steps_[to]].thread()) return;
        const auto key = std::tuple(stretch_[from], stretch_[to], kind);
        const auto [found, is_new] = strongest_.try_emplace(key, StepLink{kind, from, to});
        if (!is_new && found->second.from < from) found->second = {kind, from, to};
    }

    static Object object_of(const EventView& event) { return {*traits(event.kind()).target, event.target()}; }

    static constexpr Writers kNoWriters = {kNobody, kNobody, kNobody, kNobody,
                                           kNobody, kNobody, kNobody, kNobody};

    const Trace& trace_;
    std::span<const EventId> steps_;
    std::vector<std::uint32_t> stretch_; ///< by step: the number of the stretch it is in
    std::map<Object, std::uint32_t> givers_;
    std::unordered_map<std::uint32_t, Writers> writers_;       ///< by variable
    std::unordered_map<std::uint32_t, std::uint32_t> last_of_; ///< by thread: its last step so far
    std::map<std::tuple<std::uint32_t, std::uint32_t, LinkKind>, StepLink> strongest_;
};

} // namespace

std::vector<StepLink> links_of(const Trace& trace, std::span<const EventId> steps) {
    return LinkFinder(trace, steps).find();
}

} // namespace heddle
