#include "analysis/what_if/executions.h"

#include <cstdint>
#include <optional>

namespace heddle {

namespace {

/// What a call stack says about the piece: in which call of its function a thread is, and at which place.
struct Position {
    std::uint32_t frames = 0; ///< in the piece
    StackId frame;            ///< the outermost of them
};

/// By stack. A caller has a smaller number than whom it calls, as a rule; where not, it is looked up anew.
class Positions {
  public:
    Positions(const Trace& trace, const std::vector<bool>& inside)
        : trace_(trace), inside_(inside), known_(trace.stacks().size()) {}

    [[nodiscard]] const Position& at(StackId stack) {
        std::vector<StackId> path;
        for (StackId frame = stack; frame.valid() && !known_[frame.value];
             frame = trace_.stacks()[frame.value].caller)
            path.push_back(frame);
        for (auto frame = path.rbegin(); frame != path.rend(); ++frame) {
            const Stack& row = trace_.stacks()[frame->value];
            Position position = row.caller.valid() ? *known_[row.caller.value] : Position{};
            if (row.place.valid() && inside_[row.place.value]) {
                if (position.frames++ == 0) position.frame = *frame;
            }
            known_[frame->value] = position;
        }
        return *known_[stack.value];
    }

  private:
    const Trace& trace_;
    const std::vector<bool>& inside_;
    std::vector<std::optional<Position>> known_;
};

/// The runs of one thread, event by event.
class ThreadRuns {
  public:
    ThreadRuns(const Trace& trace, Positions& positions, Executions& result)
        : trace_(trace), positions_(positions), result_(result) {}

    void take(const EventView& event) {
        const Position position = event.stack().valid() ? positions_.at(event.stack()) : Position{};
        if (position.frames == 0) {
            first_ = {};
            return;
        }
        result_.recursive = result_.recursive || position.frames > 1;
        const StackId call = trace_.stacks()[position.frame.value].caller;
        const PlaceId place = trace_.stacks()[position.frame.value].place;
        const bool fresh = !first_.valid() || call != call_;
        if (fresh) result_.unbroken.push_back({event.thread(), event.id(), event.id()});
        if (fresh || begins_again(event, place)) {
            result_.all.push_back({event.thread(), event.id(), event.id()});
            first_ = event.id();
            call_ = call;
            place_ = place;
            locks_ = 0;
        }
        result_.all.back().last = event.id();
        result_.unbroken.back().last = event.id();
        if (event.kind() == EventKind::acquire || event.kind() == EventKind::acquire_shared) ++locks_;
        if (event.kind() == EventKind::release || event.kind() == EventKind::release_shared) --locks_;
    }

  private:
    /// Not while it has a lock that it took in this run: then it is in a loop inside of the piece. What is
    /// called from elsewhere in the piece, such as a second guard, does what the first one did.
    [[nodiscard]] bool begins_again(const EventView& event, PlaceId place) const {
        const EventView first = trace_[first_];
        return locks_ == 0 && event.kind() == first.kind() && place == place_ &&
               trace_.place_of(event.stack()) == trace_.place_of(first.stack());
    }

    const Trace& trace_;
    Positions& positions_;
    Executions& result_;
    EventId first_; ///< of the run that is under way; invalid when none is
    StackId call_;  ///< who called the function
    PlaceId place_; ///< in the piece, of the first event
    std::int64_t locks_ = 0;
};

} // namespace

Executions executions(const Trace& trace, const std::vector<bool>& inside) {
    Executions result;
    Positions positions(trace, inside);
    for (std::uint32_t thread = 0; thread < trace.thread_count(); ++thread) {
        ThreadRuns runs(trace, positions, result);
        for (const std::uint32_t id : trace.events_of(ThreadId{thread})) runs.take(trace[EventId{id}]);
    }
    return result;
}

} // namespace heddle
