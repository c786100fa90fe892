// The call stack of a fork or join that a library makes on behalf of the program: std::thread creates its
// threads inside libstdc++, where nothing is instrumented. The compiler tells where a function was called,
// but not where it is now; for a direct call that is the return address, for one through a library it is
// looked for on the machine's stack. Not for locks, which the unwinder itself takes. The answer is
// remembered, so that the stack is unwound once for each place of the program.
//
// Thread rule: called by the thread whose state it is given.
#pragma once

#include "traces/recorder/thread_state.h"

namespace heddle::recorder {

/// The node of `place`, with the call in the innermost instrumented function as its caller if that called a
/// library that came here. What cannot be unwound has the node of a direct call.
[[nodiscard]] StackNode node_through_library(ThreadState& state, Address place) noexcept;

/// The same where calls are mostly direct.
[[nodiscard]] inline StackNode node_of_synchronisation(ThreadState& state, Address place) noexcept {
    const Frame& frame = state.calls.innermost();
    if (!on_own_stack(state, frame.stack_pointer) || frame.return_address() == place + 1) [[likely]]
        return state.calls.node_of(place);
    return node_through_library(state, place);
}

} // namespace heddle::recorder
