#include "traces/recorder/threads.h"

#include "traces/recorder/flushing.h"
#include "traces/recorder/internal_memory.h"
#include "traces/recorder/modules.h"
#include "traces/recorder/raw_system_call.h"
#include "traces/recorder/real_functions.h"
#include "traces/recorder/recording.h"
#include "traces/recorder/replay.h"
#include "traces/recorder/settings.h"
#include "traces/recorder/signals.h"
#include "traces/recorder/stack_owners.h"

#include <algorithm>
#include <cstdio>
#include <new>

#include <fcntl.h>
#include <unistd.h>

namespace heddle::recorder {

constinit ThreadList thread_list;
thread_local constinit ThreadState* current_state = nullptr;

namespace {

thread_local constinit bool ended __attribute__((tls_model("initial-exec"))) = false;
thread_local constinit bool attaching __attribute__((tls_model("initial-exec"))) = false;

constinit std::atomic<std::uint32_t> next_thread{0};
constinit std::atomic<int> process_state{0}; ///< 0 not started, 1 starting, 2 recording, 3 not to be recorded
constinit bool forked_child = false;
pthread_key_t end_key;

struct Handle {
    pthread_t handle;
    ThreadLife* life;
    Handle* next;
};
constinit SpinLock handle_lock;
constinit Handle* handles = nullptr;

void leave_life(ThreadLife* life) noexcept {
    if (life == nullptr || life->users.fetch_sub(1) != 1) return;
    life->clock.release_all();
    release(life);
}

/// Thread-local destructors of the program may still run: the recorder's is put off to the last round.
void on_thread_end(void* rounds) {
    const auto left = reinterpret_cast<std::uintptr_t>(rounds);
    if (left > 1) {
        ::pthread_setspecific(end_key, reinterpret_cast<void*>(left - 1));
    } else if (current_state != nullptr) {
        end_thread(*current_state);
    }
}

/// Gives a state a thread's number and its place among the live ones.
void enlist(ThreadState& state, Record* buffer) noexcept {
    state.buffer = state.flushed = buffer;
    state.position.store(buffer, std::memory_order_relaxed);
    state.limit = buffer + ThreadState::kRecords;
    state.thread = next_thread.fetch_add(1);
    state.stamp = state.flushed_stamp = state.stamp_in_buffer = current_stamp();
    open_stream(state);
    thread_list.lock.lock();
    state.next = thread_list.live;
    thread_list.live = &state;
    thread_list.lock.unlock();
}

ThreadState* take_state() noexcept {
    thread_list.lock.lock();
    ThreadState* state = thread_list.unused;
    if (state != nullptr) thread_list.unused = state->next;
    thread_list.lock.unlock();
    Record* buffer = nullptr;
    Frame* frames = nullptr;
    if (state != nullptr) {
        buffer = state->buffer;
        frames = state->frames;
    } else {
        state = static_cast<ThreadState*>(reserve(sizeof(ThreadState)));
        buffer = static_cast<Record*>(reserve(ThreadState::kRecords * sizeof(Record)));
        frames = static_cast<Frame*>(reserve((CallStack::kMaxDepth + 1) * sizeof(Frame)));
        if (state == nullptr || buffer == nullptr || frames == nullptr) return nullptr;
    }
    new (state) ThreadState;
    state->frames = frames;
    state->calls.start(frames);
    enlist(*state, buffer);
    return state;
}

void find_own_stack(ThreadState& state) noexcept {
    pthread_attr_t attributes;
    if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return;
    void* low = nullptr;
    ::pthread_attr_getstack(&attributes, &low, &state.stack_bytes);
    ::pthread_attr_destroy(&attributes);
    state.stack_low = reinterpret_cast<Address>(low);
}

} // namespace

ThreadState* attach() noexcept {
    if (ended || attaching) return nullptr;
    if (process_state.load(std::memory_order_acquire) != 2) {
        start_process();
        if (process_state.load(std::memory_order_acquire) != 2 || current_state != nullptr)
            return current_state;
    }
    attaching = true;
    ThreadState* state = take_state();
    if (state != nullptr) begin_thread(*state);
    attaching = false;
    return state;
}

void start_process() noexcept {
    int expected = 0;
    if (!process_state.compare_exchange_strong(expected, 1)) return;
    attaching = true;
    resolve_real_functions();
    // What the recorder itself allocates must not look like the program's, nor lie in the program's heap.
    static ThreadState bootstrap;
    ++bootstrap.inside;
    current_state = &bootstrap;
    read_settings();
    const bool ready =
        settings().enabled && start_recording_tables() && ::pthread_key_create(&end_key, on_thread_end) == 0;
    if (ready) refresh_modules();
    ThreadState* follower = ready && settings().replay ? replay::start() : nullptr;
    const bool started = ready && !settings().replay && open_trace();
    ThreadState* state = started ? take_state() : nullptr;
    current_state = nullptr;
    if (state != nullptr) handle_fatal_signals();
    process_state.store(started && state != nullptr ? 2 : 3, std::memory_order_release);
    if (state != nullptr) {
        state->set_name("main");
        begin_thread(*state);
    }
    if (follower != nullptr) replay::begin(*follower);
    attaching = false;
}

ThreadState* new_thread(ThreadState& creator) noexcept {
    if (!is_recording()) return nullptr;
    const Inside inside(creator);
    ThreadState* state = take_state();
    void* life = state == nullptr ? nullptr : allocate(sizeof(ThreadLife));
    if (life != nullptr) {
        state->life = new (life) ThreadLife;
        state->life->thread = state->thread;
    }
    return state;
}

void record_begin(ThreadState& state) noexcept {
    record_synchronisation(state, EventKind::thread_begin, 0, 0);
    state.begin_stamp = state.stamp;
    begin_epoch(state, next_stamp());
}

void begin_thread(ThreadState& state) noexcept {
    ++state.inside;
    current_state = &state;
    state.os_thread = raw_thread_id();
    find_own_stack(state);
    stack_owners.add(state);
    ::pthread_setspecific(end_key, reinterpret_cast<void*>(std::uintptr_t{PTHREAD_DESTRUCTOR_ITERATIONS}));
    // What is left there from a thread that used the same memory; of the thread's own nothing is there yet.
    const auto here = reinterpret_cast<Address>(__builtin_frame_address(0));
    if (here > state.stack_low) shadow.forget(state.stack_low, here - state.stack_low);
    record_begin(state);
    --state.inside;
}

void remove_from_live(ThreadState& state) noexcept {
    thread_list.lock.lock();
    for (ThreadState** link = &thread_list.live; *link != nullptr; link = &(*link)->next) {
        if (*link == &state) {
            *link = state.next;
            break;
        }
    }
    thread_list.lock.unlock();
}

void recycle(ThreadState& state) noexcept {
    thread_list.lock.lock();
    state.next = thread_list.unused;
    thread_list.unused = &state;
    thread_list.lock.unlock();
}

void abandon_thread(ThreadState& state) noexcept {
    finish_stream(state);
    remove_from_live(state);
    state.clock.release_all();
    release(state.life);
    recycle(state);
}

void end_thread(ThreadState& state) noexcept {
    if (state.pending_count != 0) resolve_pending(state);
    ++state.inside;
    while (const std::optional<std::uint32_t> lock = state.held.take_robust())
        record_synchronisation(state, EventKind::release, *lock, 0);
    record_synchronisation(state, EventKind::thread_end, 0, 0);
    ended = true;
    stack_owners.remove(state);
    shadow.forget(state.stack_low, state.stack_bytes);
    finish_stream(state);
    remove_from_live(state);
    if (state.life != nullptr) {
        state.life->clock = state.clock;
        leave_life(state.life);
    } else {
        state.clock.release_all();
    }
    current_state = nullptr;
    recycle(state);
}

void end_fiber(ThreadState& fiber) noexcept {
    if (&fiber == current_state) return;
    record_synchronisation(fiber, EventKind::thread_end, 0, 0);
    finish_stream(fiber);
    remove_from_live(fiber);
    fiber.clock.release_all();
    release(fiber.life);
    recycle(fiber);
}

void register_handle(pthread_t handle, ThreadLife* life) noexcept {
    auto* entry = static_cast<Handle*>(allocate(sizeof(Handle)));
    if (entry == nullptr) return leave_life(life);
    handle_lock.lock();
    *entry = {handle, life, handles};
    handles = entry;
    handle_lock.unlock();
}

ThreadLife* known_handle(pthread_t handle) noexcept {
    handle_lock.lock();
    const Handle* found = handles;
    while (found != nullptr && found->handle != handle) found = found->next;
    ThreadLife* life = found == nullptr ? nullptr : found->life;
    handle_lock.unlock();
    return life;
}

void forget_handle(pthread_t handle, ThreadLife* life) noexcept {
    handle_lock.lock();
    Handle** link = &handles;
    while (*link != nullptr && ((*link)->handle != handle || (*link)->life != life)) link = &(*link)->next;
    Handle* found = *link;
    if (found != nullptr) *link = found->next;
    handle_lock.unlock();
    if (found == nullptr) return;
    release(found);
    leave_life(life);
}

void name_thread(pthread_t handle, const char* name) noexcept {
    handle_lock.lock();
    const Handle* found = handles;
    while (found != nullptr && found->handle != handle) found = found->next;
    const std::optional<std::uint32_t> thread =
        found == nullptr ? std::nullopt : std::optional(found->life->thread);
    handle_lock.unlock();
    if (!thread) return;
    for_each_thread([&](ThreadState& state) {
        if (state.thread == *thread) state.set_name(name);
    });
}

std::uint64_t threads_seen() noexcept {
    return next_thread.load();
}

std::vector<std::string> command_line() {
    std::vector<std::string> arguments;
    const int descriptor = ::open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return arguments;
    std::string text(65536, '\0');
    const ssize_t size = ::read(descriptor, text.data(), text.size());
    ::close(descriptor);
    for (std::size_t at = 0; size > 0 && at < static_cast<std::size_t>(size);) {
        arguments.emplace_back(text.c_str() + at);
        at += arguments.back().size() + 1;
    }
    return arguments;
}

bool is_forked_child() noexcept {
    return forked_child;
}

void restart_in_child() noexcept {
    ThreadState* self = current_state;
    forked_child = true;
    handle_lock.reset();
    handles = nullptr;
    thread_list.live = nullptr;
    next_thread.store(0);
    forget_output();
    become_descendant();
    if (process_state.load() != 2 || self == nullptr) return;
    ++self->inside;
    shadow.forget_everything();
    const bool started = settings().enabled && open_trace();
    if (!started) process_state.store(3);
    // Where the thread is in its calls stays true.
    self->held.clear();
    self->clock.release_all();
    self->life = nullptr;
    self->history_cursor.page = self->earlier_cursor.page = self->ownership_mark = kNoPage;
    self->flush_lock.reset();
    self->accesses_seen = self->synchronisations_seen = self->events_kept = 0;
    self->last_load = {};
    self->calls.forget_blocks();
    std::fill(std::begin(self->linked_objects), std::end(self->linked_objects), 0);
    self->forget_filtered();
    enlist(*self, self->buffer);
    --self->inside;
    if (started) begin_thread(*self);
}

} // namespace heddle::recorder
