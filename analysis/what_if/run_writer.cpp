#include "analysis/what_if/run_writer.h"

namespace heddle {

RunWriter::RunWriter(const Trace& trace) : original_(trace) {
    for (std::size_t kind = 0; kind < kObjectKinds; ++kind) {
        const std::size_t count = trace.objects(static_cast<ObjectKind>(kind)).size();
        for (std::size_t i = 0; i < count; ++i) builder_.add_object(static_cast<ObjectKind>(kind), {});
    }
    // What a place says does not matter here, but that it is another than the others.
    for (std::size_t i = 0; i < trace.places().size(); ++i) {
        Place place;
        place.offset = i;
        static_cast<void>(builder_.place(place));
    }
    stacks_.resize(trace.places().size());
}

void RunWriter::keep(const EventView& event, bool atomic) {
    Event copy = original_.spelled_out(event);
    copy.stack = stack_at(original_.place_for_people(event.stack()));
    if (is_access(copy.kind)) copy.value.reset();
    if (atomic && is_plain_access(copy.kind)) {
        copy.kind = copy.kind == EventKind::read ? EventKind::atomic_load : EventKind::atomic_store;
        copy.order = MemoryOrder::relaxed;
    }
    builder_.add(copy);
}

void RunWriter::add(EventKind kind, ThreadId thread, LockId lock, StackId recorded_stack) {
    builder_.add({.kind = kind,
                  .thread = thread,
                  .target = lock.value,
                  .stack = stack_at(original_.place_for_people(recorded_stack)),
                  .value = {}});
}

StackId RunWriter::stack_at(PlaceId place) {
    if (!place.valid()) return {};
    StackId& stack = stacks_[place.value];
    if (!stack.valid()) stack = builder_.stack({place, {}});
    return stack;
}

} // namespace heddle
