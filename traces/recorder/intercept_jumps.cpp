// Jumps out of functions, which leave no exits behind: the calls that end are forgotten before the jump.
//
// A buffer of the C library holds the stack pointer at the call of setjmp, disguised: rotated by 17 bits and
// combined with a secret that the thread's control block holds. Elsewhere than on x86-64 nothing is done
// here; the next entry of a function then finds what is left over.
#include "traces/recorder/interception.h"

#include <csetjmp>
#include <cstring>

using namespace heddle::recorder;

namespace {

void forget_calls([[maybe_unused]] const void* buffer) noexcept {
#if defined(__x86_64__)
    ThreadState* state = current_state;
    if (state == nullptr) return;
    constexpr std::size_t kStackPointer = 6; // JB_RSP
    std::uint64_t disguised = 0;
    std::memcpy(&disguised, static_cast<const std::uint64_t*>(buffer) + kStackPointer, sizeof(disguised));
    std::uint64_t secret = 0;
    __asm__("movq %%fs:0x30, %0" : "=r"(secret));
    const Address stack_pointer = (disguised >> 17U | disguised << 47U) ^ secret;
    // A callback's frame lies below its caller's by a return address and a saved frame pointer.
    state->calls.jump_to(stack_pointer - 2 * sizeof(Address));
#endif
}

} // namespace

#define HEDDLE_JUMP(name)                                                                                    \
    HEDDLE_EXPORT [[noreturn]] void recorded_##name(__jmp_buf_tag* buffer, int value) __asm__(#name);        \
    HEDDLE_EXPORT [[noreturn]] void recorded_##name(__jmp_buf_tag* buffer, int value) {                      \
        forget_calls(buffer);                                                                                \
        real().name(buffer, value);                                                                          \
        __builtin_unreachable();                                                                             \
    }
HEDDLE_JUMP(longjmp)
HEDDLE_JUMP(_longjmp)
HEDDLE_JUMP(siglongjmp)
HEDDLE_JUMP(__longjmp_chk)
