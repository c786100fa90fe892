#include "traces/recorder/library_calls.h"

#include <dlfcn.h>
#include <link.h>
#include <unwind.h>

namespace heddle::recorder {

namespace {

struct Search {
    Address place;         ///< where the library called
    Address stack_pointer; ///< of the innermost instrumented function
    unsigned frames_left = 64;
    bool in_library = false;
    Address found = 0;
};

_Unwind_Reason_Code look_at(_Unwind_Context* context, void* raw) {
    auto& search = *static_cast<Search*>(raw);
    const Address next = _Unwind_GetIP(context);
    if (search.frames_left-- == 0) return _URC_NORMAL_STOP;
    if (!search.in_library) {
        search.in_library = next == search.place + 1;
        return _URC_NO_REASON;
    }
    if (_Unwind_GetCFA(context) <= search.stack_pointer) return _URC_NO_REASON;
    search.found = next - 1;
    return _URC_NORMAL_STOP;
}

/// Whether the code is in the same library: then it is instrumented as well, and the call is a direct one of
/// a function that has moved its stack pointer.
bool are_together(Address one, Address other) noexcept {
    dl_find_object of_one{};
    dl_find_object of_other{};
    return ::_dl_find_object(reinterpret_cast<void*>(one), &of_one) == 0 &&
           ::_dl_find_object(reinterpret_cast<void*>(other), &of_other) == 0 &&
           of_one.dlfo_link_map == of_other.dlfo_link_map;
}

/// The call in the innermost instrumented function that is not over yet. 0: unknown.
Address call_into_library(const Frame& frame, Address place) noexcept {
    Search search{.place = place, .stack_pointer = frame.stack_pointer};
    _Unwind_Backtrace(look_at, &search);
    // Its caller: the function itself was not recognised, for it has moved its stack pointer.
    return search.found == frame.call_site ? 0 : search.found;
}

} // namespace

StackNode node_through_library(ThreadState& state, Address place) noexcept {
    const Frame& frame = state.calls.innermost();
    const Address returns_to = frame.return_address();
    LibraryCall& known =
        state.library_calls[(returns_to ^ returns_to >> 7U ^ place) % ThreadState::kLibraryCalls];
    if (known.place != place || known.returns_to != returns_to) {
        if (are_together(place, frame.entry)) return state.calls.node_of(place);
        const Inside inside(state);
        known = {place, returns_to, call_into_library(frame, place)};
    }
    return known.call == 0 ? state.calls.node_of(place)
                           : call_tree.intern(state.calls.node_of(known.call), place);
}

} // namespace heddle::recorder
