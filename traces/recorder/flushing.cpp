#include "traces/recorder/flushing.h"

#include "traces/recorder/chunk_maker.h"
#include "traces/recorder/raw_system_call.h"
#include "traces/recorder/recording.h"
#include "traces/recorder/settings.h"
#include "traces/recorder/threads.h"
#include "traces/recorder/trace_file.h"
#include "traces/recorder/uncancelled.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <new>
#include <utility>

#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::recorder {

namespace {

/// The fastest that keeps traces small: compression takes time from the program.
constexpr int kCompression = -7;
constexpr std::uint64_t kSmallTrace = std::uint64_t{512} << 10U; ///< that is worth more of it
constexpr std::size_t kMostMakers = 8;

/// How many threads can write at a time: each takes memory.
constexpr std::size_t makers_for(std::size_t processors) {
    return std::clamp<std::size_t>(processors, 2, kMostMakers);
}
std::size_t processors() {
    cpu_set_t set{};
    return ::sched_getaffinity(0, sizeof(set), &set) == 0 ? static_cast<std::size_t>(CPU_COUNT(&set)) : 1;
}

/// The process's trace. Never destroyed: threads go on while the process ends.
struct Output {
    std::unique_ptr<htr::Writer> writer;
    std::string path;
    std::string problem;
    int descriptor = -1;
    std::uint64_t started_ns = 0;
    std::uint64_t bytes = 0;
    SpinLock history_lock;
    const std::size_t maker_count = makers_for(processors());
    std::array<SpinLock, kMostMakers> maker_locks;
    std::array<ChunkMaker, kMostMakers> makers;
    std::atomic<std::uint64_t> events_kept{0};
    std::atomic<std::uint64_t> events_seen{0};
};
constinit Output* output = nullptr;
constinit std::atomic<bool> recording{false};
constinit std::atomic<bool> stopped{true};
constinit std::atomic<bool> open{false};   ///< the file is; the last buffers are written after the recording
constinit std::atomic<bool> broken{false}; ///< a write failed: the file stays as it is
constinit std::atomic<std::uint64_t> last_stamp{htr::kAllStamps};

std::uint64_t now_ns() {
    timespec time{};
    ::clock_gettime(CLOCK_REALTIME, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U +
           static_cast<std::uint64_t>(time.tv_nsec);
}

class BorrowedMaker {
  public:
    BorrowedMaker() {
        const std::size_t count = output->maker_count;
        for (number_ = 0; !output->maker_locks[number_].try_lock(); number_ = (number_ + 1) % count) {
            if (number_ + 1 == count) ::sched_yield();
        }
    }
    ~BorrowedMaker() { output->maker_locks[number_].unlock(); }
    BorrowedMaker(const BorrowedMaker&) = delete;
    BorrowedMaker& operator=(const BorrowedMaker&) = delete;

    ChunkMaker& operator*() { return output->makers[number_]; }
    ChunkMaker* operator->() { return &output->makers[number_]; }

  private:
    std::size_t number_ = 0;
};

/// One thread at a time: who finds nothing to write must know that it is written.
Result<void> write_late_history(ChunkMaker& maker) {
    constexpr std::size_t kMost = 1U << 16U;
    if (late_history_size() == 0 && !output->history_lock.is_held()) return {};
    const std::scoped_lock lock(output->history_lock);
    const std::vector<LateEvent> events = take_late_history();
    Result<void> written;
    for (std::size_t at = 0; at < events.size() && written; at += kMost) {
        const std::size_t count = std::min(kMost, events.size() - at);
        output->events_kept += count;
        written = maker.write_history(*output->writer, {events.data() + at, count});
    }
    return written;
}

/// Writes what is complete in a thread's buffer. The caller holds its flush lock. `next`: no later event of
/// the thread has a smaller stamp.
Result<void> write_buffer(ThreadState& state, std::uint64_t next, bool last = false) {
    if (state.stream == nullptr || broken.load(std::memory_order_relaxed)) return {};
    const Record* end = state.position.load(std::memory_order_acquire);
    if (end == state.flushed) {
        state.stream->advance(next);
        return {};
    }
    BorrowedMaker maker;
    // Before the events that made the memory shared.
    if (auto written = write_late_history(*maker); !written) return written;
    const std::size_t events = maker->add(state, state.flushed, end,
                                          {.last_stamp = last_stamp.load(std::memory_order_relaxed),
                                           .live = &state == current_state,
                                           .last = last});
    state.flushed = const_cast<Record*>(end);
    if (events == 0) {
        state.stream->advance(next);
        return {};
    }
    state.events_kept += events;
    return maker->write(*state.stream, next);
}

std::uint64_t file_bytes() {
    struct stat status {};
    return ::fstat(output->descriptor, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

/// Events of a thread that is blocked keep readers from using what others wrote after them. One that waits
/// for a moment, as for a lock, soon writes them itself: only who was found at the same point before is
/// helped.
void flush_blocked_threads(const ThreadState& self) {
    for_each_thread([&](ThreadState& other) {
        if (&other == &self || !other.blocked.load(std::memory_order_acquire)) return;
        if (!other.flush_lock.try_lock()) return;
        Record* position = other.position.load(std::memory_order_acquire);
        if (std::exchange(other.found_blocked_at, position) != position) return other.flush_lock.unlock();
        if (other.blocked.load(std::memory_order_acquire) && other.stream != nullptr) {
            // Whatever it does next, it takes a new stamp first. No promise for all time: if every thread had
            // made one, the events that follow would be called stable before they are written.
            static_cast<void>(write_buffer(other, current_stamp() + kEpoch));
            other.promised_new_stamp = true;
        }
        other.flush_lock.unlock();
    });
}

void note_problem(const std::string& problem) {
    if (!output->problem.empty()) return;
    output->problem = problem;
    tell_problem(problem);
}

/// After a failed write the file stays as it is: readable up to there.
void give_up_if_failed(const Result<void>& written) {
    if (written) return;
    broken.store(true);
    recording.store(false);
    note_problem(written.error().message);
}

/// Waits until a thread that has taken a stamp has put its event into the buffer. Bounded: a thread that a
/// signal handler keeps from it for ever must not keep the process from ending.
void wait_until_settled(const ThreadState& state) {
    for (unsigned tries = 0; tries < 10'000 && state.busy.load(std::memory_order_acquire); ++tries) {
        ::sched_yield();
    }
}

} // namespace

bool is_recording() noexcept {
    return recording.load(std::memory_order_relaxed);
}

bool open_trace() noexcept {
    const Uncancelled uncancelled;
    if (output == nullptr) output = new Output;
    auto opened = open_trace_file();
    if (!opened) {
        tell_problem(opened.error().message);
        write_summary({.problem = opened.error().message});
        return false;
    }
    auto writer = htr::Writer::adopt(opened->descriptor, opened->path,
                                     {.zstd_level = kCompression, .small_file = kSmallTrace});
    if (!writer) {
        tell_problem(writer.error().message);
        write_summary({.trace = opened->path, .problem = writer.error().message});
        return false;
    }
    output->writer = std::move(*writer);
    output->path = opened->path;
    output->descriptor = opened->descriptor;
    output->started_ns = now_ns();
    output->events_kept = 0;
    output->events_seen = 0;
    output->problem.clear();
    Metadata metadata;
    metadata.command = command_line();
    if (const char* test = std::getenv("HEDDLE_TEST"); test != nullptr) metadata.test = test;
    metadata.start_time_unix_ns = static_cast<std::int64_t>(output->started_ns);
    if (char* folder = ::get_current_dir_name(); folder != nullptr) {
        metadata.settings["folder"] = folder;
        ::free(folder);
    }
    metadata.settings["values"] = settings().values ? "on" : "off";
    metadata.settings["full"] = settings().full ? "on" : "off";
    static_cast<void>(output->writer->write_metadata(metadata));
    last_stamp.store(htr::kAllStamps);
    allow_fences();
    raise_stamp_floor(0);
    broken.store(false);
    stopped.store(false);
    open.store(true);
    recording.store(true);
    return true;
}

void flush_own(ThreadState& state) noexcept {
    const Uncancelled uncancelled;
    const Inside inside(state);
    bool too_large = false;
    {
        const std::scoped_lock lock(state.flush_lock);
        drop_pending(state);
        // Also while another thread stops the recording: what happened before that belongs to the trace.
        give_up_if_failed(write_buffer(state, state.stamp));
        too_large = is_recording() && settings().max_size != 0 && file_bytes() > settings().max_size;
        // Places of the turn were given out with what was written: whatever comes next is in another one.
        state.kept_back = state.remembered = true;
        state.flushed = state.buffer;
        state.position.store(state.buffer, std::memory_order_release);
    }
    if (!is_recording()) return;
    if (too_large)
        return stop_recording("the trace has reached its size limit; what comes after is not in it");
    flush_blocked_threads(state);
}

void open_stream(ThreadState& state) noexcept {
    if (is_recording()) state.stream = output->writer->open_stream(current_stamp()).release();
}

void finish_stream(ThreadState& state) noexcept {
    const Uncancelled uncancelled;
    const Inside inside(state);
    const std::scoped_lock lock(state.flush_lock);
    // Also while another thread stops the recording: it would not find this one in the list any more. After a
    // failed write nothing is written, but what the thread did counts.
    if (state.stream == nullptr || !open.load()) return;
    give_up_if_failed(write_buffer(state, htr::kAllStamps));
    if (output != nullptr) {
        output->events_kept += state.events_kept;
        output->events_seen += state.accesses_seen + state.synchronisations_seen;
    }
    delete state.stream;
    state.stream = nullptr;
}

void stop_recording(const char* problem, int exit_status) noexcept {
    if (stopped.exchange(true)) return;
    const Uncancelled uncancelled;
    recording.store(false);
    ThreadState* self = current_state;
    if (self != nullptr) {
        ++self->inside;
    }
    if (problem != nullptr) note_problem(problem);
    // Stamps from here on are left out, so that no event is written whose cause is not.
    last_stamp.store(next_stamp());
    raise_stamp_floor(last_stamp.load());
    Summary summary{.trace = output->path};
    for_each_thread([&](ThreadState& state) {
        wait_until_settled(state);
        state.flush_lock.lock();
        if (auto written = write_buffer(state, htr::kAllStamps, true); !written)
            note_problem(written.error().message);
        if (state.stream != nullptr) { // else the thread has added its own numbers
            summary.events_seen += state.accesses_seen + state.synchronisations_seen;
            summary.events_kept += state.events_kept;
        }
        state.stream = nullptr; // the file is closed while threads go on
        state.flush_lock.unlock();
    });
    {
        BorrowedMaker maker;
        static_cast<void>(write_late_history(*maker));
    }
    open.store(false);
    Metadata metadata;
    metadata.duration_ns = now_ns() - output->started_ns;
    if (exit_status >= 0) metadata.exit_status = exit_status;
    static_cast<void>(output->writer->write_metadata(metadata));
    static_cast<void>(output->writer->close());
    summary.problem = output->problem;
    summary.threads = threads_seen();
    summary.events_seen += output->events_seen;
    summary.events_kept += output->events_kept;
    summary.bytes = file_bytes();
    write_summary(summary);
    if (self != nullptr) {
        --self->inside;
    }
}

void forget_output() noexcept {
    recording.store(false);
    open.store(false);
    stopped.store(true);
    if (output == nullptr) return;
    // Another thread may have been using any of it: it is left as it is, and only the descriptor goes.
    ::close(output->descriptor);
    output = nullptr;
}

void discard_trace() noexcept {
    if (stopped.exchange(true)) return;
    recording.store(false);
    open.store(false);
    ::unlink(output->path.c_str());
}

Blocking::Blocking(ThreadState* state) noexcept : state_(state) {
    if (state_ != nullptr) state_->blocked.store(true, std::memory_order_release);
}

Blocking::~Blocking() {
    if (state_ != nullptr) unblock(*state_);
}

void unblock(ThreadState& state) noexcept {
    const Inside inside(state); // a signal handler would wait for the lock as well
    // Waits for a thread that is writing this one's buffer.
    const std::scoped_lock lock(state.flush_lock);
    state.blocked.store(false, std::memory_order_relaxed);
    if (!state.promised_new_stamp || !is_recording() || state.stream == nullptr) return;
    state.promised_new_stamp = false;
    begin_epoch(state, next_stamp());
}

} // namespace heddle::recorder
