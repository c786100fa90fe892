// Signals that end the process close the trace first; the process then ends as it would have. Handlers of the
// program are wrapped: a write that a signal came before, or that faulted, is not in memory at the next
// callback.
#include "traces/recorder/interception.h"
#include "traces/recorder/process.h"
#include "traces/recorder/signals.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>

namespace heddle::recorder {

namespace {

constexpr std::array kFatal = {SIGSEGV, SIGBUS, SIGILL,  SIGFPE,  SIGABRT, SIGSYS,  SIGTRAP, SIGTERM,
                               SIGINT,  SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU};

/// The second signal of the same kind meets the default action.
constexpr int kOnce = static_cast<int>(unsigned{SA_NODEFER} | unsigned{SA_RESETHAND});

using InfoHandler = void (*)(int, siginfo_t*, void*);

/// The program's own handlers.
struct Wrapped {
    std::atomic<InfoHandler> handler{nullptr};
    std::atomic<bool> plain{false}; ///< it takes one argument
};
constinit std::array<Wrapped, _NSIG> wrapped;

Wrapped* wrapped_of(int signal) {
    return signal > 0 && signal < _NSIG ? &wrapped[static_cast<std::size_t>(signal)] : nullptr;
}

void on_fatal_signal(int signal) {
    if (ThreadState* state = current_state; state != nullptr) state->pending_count = 0;
    end_process(128 + signal);
    struct sigaction normal {};
    normal.sa_handler = SIG_DFL;
    real().sigaction(signal, &normal, nullptr);
    real().raise(signal);
}

void on_handled_signal(int signal, siginfo_t* info, void* context) {
    ThreadState* state = current_state;
    const bool recorded = state != nullptr && !state->is_in_recorder();
    if (recorded) distrust_pending(*state);
    // What the handler does is not told by who writes the buffers of threads that wait.
    const bool waits = recorded && state->blocked.load(std::memory_order_relaxed);
    if (waits) unblock(*state);
    // The handler takes one argument or three; passing all three is right for both.
    if (const InfoHandler handler = wrapped_of(signal)->handler.load(); handler != nullptr)
        handler(signal, info, context);
    if (waits) state->blocked.store(true, std::memory_order_release);
}

bool is_ours(const struct sigaction& action) {
    return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == on_fatal_signal;
}

} // namespace

void handle_fatal_signals() noexcept {
    for (const int signal : kFatal) {
        struct sigaction before {};
        if (real().sigaction(signal, nullptr, &before) != 0) continue;
        if ((before.sa_flags & SA_SIGINFO) != 0 || before.sa_handler != SIG_DFL) continue;
        struct sigaction action {};
        action.sa_handler = on_fatal_signal;
        action.sa_flags = kOnce;
        real().sigaction(signal, &action, nullptr);
    }
}

namespace {

int set_action(int signal, const struct sigaction* wanted, struct sigaction* before) noexcept {
    Wrapped* slot = wrapped_of(signal);
    const InfoHandler old_handler = slot == nullptr ? nullptr : slot->handler.load();
    const bool was_plain = slot != nullptr && slot->plain.load();
    struct sigaction action {};
    const struct sigaction* given = wanted;
    if (wanted != nullptr) {
        action = *wanted;
        const bool plain = (wanted->sa_flags & SA_SIGINFO) == 0;
        const bool default_action = plain && wanted->sa_handler == SIG_DFL;
        if (slot != nullptr && (!plain || (wanted->sa_handler != SIG_DFL && wanted->sa_handler != SIG_IGN))) {
            slot->handler.store(
                plain ? reinterpret_cast<InfoHandler>(reinterpret_cast<void*>(wanted->sa_handler))
                      : wanted->sa_sigaction);
            slot->plain.store(plain);
            action.sa_sigaction = on_handled_signal;
            action.sa_flags |= SA_SIGINFO;
        } else if (default_action && std::find(kFatal.begin(), kFatal.end(), signal) != kFatal.end()) {
            action.sa_handler = on_fatal_signal;
            action.sa_flags |= kOnce;
        }
        given = &action;
    }
    const int result = real().sigaction(signal, given, before);
    if (result != 0 || before == nullptr) return result;
    if (is_ours(*before)) {
        before->sa_handler = SIG_DFL;
    } else if ((before->sa_flags & SA_SIGINFO) != 0 && before->sa_sigaction == on_handled_signal) {
        before->sa_sigaction = old_handler;
        if (was_plain) before->sa_flags &= ~SA_SIGINFO;
    }
    return result;
}

} // namespace
} // namespace heddle::recorder

using namespace heddle::recorder;

HEDDLE_EXPORT int sigaction(int signal, const struct sigaction* wanted, struct sigaction* before) noexcept {
    return set_action(signal, wanted, before);
}
HEDDLE_EXPORT sighandler_t signal(int number, sighandler_t handler) noexcept {
    struct sigaction action {};
    struct sigaction before {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    return set_action(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

/// A signal that a thread sends to itself comes when its writes are in memory.
HEDDLE_EXPORT int raise(int signal) noexcept {
    static_cast<void>(recorded_thread());
    return real().raise(signal);
}
HEDDLE_EXPORT int kill(pid_t process, int signal) noexcept {
    static_cast<void>(recorded_thread());
    return real().kill(process, signal);
}
