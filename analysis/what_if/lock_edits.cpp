#include "analysis/what_if/lock_edits.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string_view>

#include <fmt/format.h>

namespace heddle {

namespace {

/// What a thread waits for at an event other than for a lock, in words; nothing if it does not.
std::optional<std::string_view> awaited(EventKind kind) {
    switch (kind) {
    case EventKind::wait_pre:
    case EventKind::wait_post: return "a condition";
    case EventKind::join: return "another thread's end";
    case EventKind::barrier_enter:
    case EventKind::barrier_leave: return "a barrier";
    case EventKind::sem_wait: return "a semaphore";
    case EventKind::once_begin:
    case EventKind::once_seen: return "an initialisation";
    case EventKind::happens_after: return "what is annotated to happen before";
    default: return std::nullopt;
    }
}

/// One thread: walks its events and keeps, for each lock of the change, whether the thread has it.
class ThreadWalk {
  public:
    ThreadWalk(const Trace& trace, bool joins_sections, std::vector<LockEdit>& edits)
        : trace_(trace), joins_sections_(joins_sections), edits_(edits) {}

    /// The thread's spans, by their first event.
    Result<void> run(ThreadId thread, std::span<const HeldSpan> spans) {
        for (const HeldSpan& span : spans) locks_.emplace(span.lock, State{});
        std::size_t next = 0;
        for (const std::uint32_t id : trace_.events_of(thread)) {
            const EventView event = trace_[EventId{id}];
            for (; next < spans.size() && spans[next].first.value <= id; ++next) {
                if (auto begun = begin(spans[next], event); !begun) return begun;
            }
            if (auto taken = take(event); !taken) return taken;
            end_at(event);
            if (next == spans.size() && open_.empty()) break;
        }
        return {};
    }

  private:
    struct State {
        bool recorded = false; ///< the thread holds it in the recorded run
        bool shared = false;   ///< only for reading
        bool added = false;    ///< because of the change
    };

    Result<void> begin(const HeldSpan& span, const EventView& event) {
        State& state = locks_.at(span.lock);
        if (state.recorded && (!joins_sections_ || state.shared)) return waits_for_itself(span.lock);
        if (!state.recorded) edits_.push_back({event.id(), LockEditKind::acquire_before, span.lock});
        state.added = true;
        open_.push_back(span);
        return {};
    }

    Result<void> take(const EventView& event) {
        if (!open_.empty()) {
            if (const auto what = awaited(event.kind()))
                return fail(fmt::format("'{}' would be held while the thread waits for {}",
                                        name(open_.back().lock), *what));
            if (event.kind() == EventKind::thread_begin || event.kind() == EventKind::thread_end)
                return fail("a thread begins or ends there");
        }
        const EventKind kind = event.kind();
        if (kind < EventKind::acquire || kind > EventKind::release_shared) return {};
        const auto found = locks_.find(event.lock());
        if (found == locks_.end()) return {};
        State& state = found->second;
        const bool acquires = kind == EventKind::acquire || kind == EventKind::acquire_shared;
        const bool shared = kind == EventKind::acquire_shared || kind == EventKind::release_shared;
        if (state.added && (!joins_sections_ || shared)) return waits_for_itself(event.lock());
        if (state.added) edits_.push_back({event.id(), LockEditKind::drop, event.lock()});
        state.recorded = acquires;
        state.shared = shared;
        return {};
    }

    void end_at(const EventView& event) {
        for (std::size_t i = open_.size(); i-- > 0;) {
            if (open_[i].last > event.id()) continue;
            State& state = locks_.at(open_[i].lock);
            state.added = false;
            if (!state.recorded) edits_.push_back({event.id(), LockEditKind::release_after, open_[i].lock});
            open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }

    [[nodiscard]] std::string name(LockId lock) const {
        return trace_.display_name(ObjectKind::lock, lock.value);
    }
    [[nodiscard]] tl::unexpected<Error> waits_for_itself(LockId lock) const {
        return fail(
            fmt::format("'{}' is held there already in some of the runs through this code", name(lock)));
    }

    const Trace& trace_;
    bool joins_sections_;
    std::vector<LockEdit>& edits_;
    std::map<LockId, State> locks_;
    std::vector<HeldSpan> open_;
};

} // namespace

Result<std::vector<LockEdit>> lock_edits(const Trace& trace, const Change& change) {
    std::vector<HeldSpan> spans = change.held;
    std::ranges::stable_sort(spans, [](const HeldSpan& a, const HeldSpan& b) {
        return std::pair(a.thread, a.first) < std::pair(b.thread, b.first);
    });
    std::vector<LockEdit> edits;
    for (std::size_t first = 0; first < spans.size();) {
        std::size_t end = first;
        while (end < spans.size() && spans[end].thread == spans[first].thread) ++end;
        ThreadWalk walk(trace, change.joins_sections, edits);
        const std::span<const HeldSpan> all = spans;
        if (auto walked = walk.run(spans[first].thread, all.subspan(first, end - first)); !walked)
            return tl::make_unexpected(walked.error());
        first = end;
    }
    std::ranges::stable_sort(edits, {}, &LockEdit::event);
    return edits;
}

} // namespace heddle
