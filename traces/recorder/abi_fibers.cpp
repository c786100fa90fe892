// Fibers: stacks that a thread switches between. Each is a thread of its own to the trace: a switch ends
// what the one did before what the other does next, unless the program says that it synchronises nothing.
#include "traces/recorder/interception.h"
#include "traces/recorder/threads.h"

using namespace heddle::recorder;
using heddle::EventKind;

namespace {

/// As in <sanitizer/tsan_interface.h>.
constexpr unsigned kNoSynchronisation = 1U << 0U;

void record(ThreadState& state, EventKind kind, std::uint32_t target, Address place) noexcept {
    const Inside inside(state);
    record_synchronisation(state, kind, target, place);
}

/// Every fiber has a tag: a switch to it publishes to it what came before.
std::uint32_t tag_of(ThreadState& user, const ThreadState& fiber) noexcept {
    return object_key(user, address_of(&fiber));
}

} // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the names are ThreadSanitizer's
HEDDLE_EXPORT void* __tsan_get_current_fiber() noexcept {
    return this_thread();
}
HEDDLE_EXPORT void* __tsan_create_fiber(unsigned /*flags*/) noexcept {
    ThreadState* state = recorded_thread();
    ThreadState* fiber = state == nullptr ? nullptr : new_thread(*state);
    if (fiber == nullptr) return nullptr;
    record(*state, EventKind::fork, fiber->thread, HEDDLE_CALLER);
    {
        const Inside inside(*fiber);
        record_begin(*fiber);
    }
    return fiber;
}
HEDDLE_EXPORT void __tsan_destroy_fiber(void* raw) noexcept {
    if (ThreadState* fiber = static_cast<ThreadState*>(raw); fiber != nullptr) end_fiber(*fiber);
}
HEDDLE_EXPORT void __tsan_switch_to_fiber(void* raw, unsigned flags) noexcept {
    ThreadState* from = recorded_thread();
    auto* to = static_cast<ThreadState*>(raw);
    if (from == nullptr || to == nullptr || from == to) return;
    if ((flags & kNoSynchronisation) == 0)
        record(*from, EventKind::happens_before, tag_of(*from, *to), HEDDLE_CALLER);
    to->stack_low = from->stack_low;
    to->stack_bytes = 0; // a fiber's stack is memory like any other
    current_state = to;
    if ((flags & kNoSynchronisation) == 0)
        record(*to, EventKind::happens_after, tag_of(*to, *to), HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_set_fiber_name(void* raw, const char* name) noexcept {
    if (auto* fiber = static_cast<ThreadState*>(raw); fiber != nullptr) fiber->set_name(name);
}
// NOLINTEND(bugprone-reserved-identifier)
