#include "traces/recorder/replay_course.h"

#include "traces/recorder/modules.h"
#include "traces/recorder/raw_system_call.h"
#include "traces/recorder/replay_result.h"
#include "traces/recorder/replay_stall.h"
#include "traces/recorder/trace_file.h"

#include <csignal>
#include <cstdlib>
#include <memory>
#include <new>

#include <linux/futex.h>
#include <sys/prctl.h>
#include <time.h>

namespace heddle::recorder::replay {

constinit std::atomic<bool> course_over{true};

namespace {

struct Course {
    Plan plan;
    std::unique_ptr<Step[]> steps;
    std::unique_ptr<Actor[]> actors;
    Deed deeds[kMaxParts];    ///< stands, and the accesses of an atomicity violation
    Deed holdings[kMaxParts]; ///< the locks of a deadlock
    std::uint32_t parts = 0;  ///< how many stand when the violation is there
    std::atomic<std::uint32_t> standing{0};
    std::atomic<bool> settled{false};
    StallWatch stall;
};
/// Never destroyed: threads may outlive the library's destructors.
constinit Course* course = nullptr;

constexpr std::uint32_t kSliceMs = 50;

void wait_on(std::atomic<std::uint32_t>& word, std::uint32_t slice_ms) noexcept {
    const timespec slice{.tv_sec = slice_ms / 1000, .tv_nsec = long{slice_ms % 1000} * 1'000'000};
    ::syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &slice, nullptr, 0);
}
void wake_all(const void* word) noexcept {
    ::syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 0x7FFF'FFFF, nullptr, nullptr, 0);
}

/// Everybody goes on. Who is just falling asleep sees it after a slice.
void release_everybody() noexcept {
    course_over.store(true);
    for (std::size_t i = 0; i < course->plan.threads.size(); ++i) {
        if (const void* word = course->actors[i].parked_on.load(); word != nullptr) wake_all(word);
    }
}

[[nodiscard]] bool settle() noexcept {
    return !course->settled.exchange(true);
}

/// The violation is there. Whoever stands at it stays for the debugger if one is to come, goes on otherwise;
/// from a deadlock nobody could.
void confirm() noexcept {
    if (!settle()) return;
    std::uint32_t standing[kMaxParts];
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < course->parts; ++i) {
        if (course->deeds[i].there.load())
            standing[count++] = course->actors[course->deeds[i].thread].os_thread.load();
    }
    write_confirmed(course->deeds[0].address, standing, count);
    if (course->plan.stay) return;
    if (course->plan.violation == Violation::deadlock) raw_exit(0);
    release_everybody();
}

[[nodiscard]] bool overlap(const Deed& a, const Deed& b) noexcept {
    return a.address < b.address + b.size && b.address < a.address + a.size;
}

/// Whether those that stand make the violation.
[[nodiscard]] bool is_violation() noexcept {
    const Deed* deeds = course->deeds;
    switch (course->plan.violation) {
    case Violation::race: return overlap(deeds[0], deeds[1]) && (deeds[0].writes || deeds[1].writes);
    case Violation::atomicity: // no order of the two threads, one after the other, explains the three
        return deeds[0].there.load() && deeds[1].there.load() && overlap(deeds[0], deeds[1]) &&
               overlap(deeds[1], deeds[2]) && (deeds[1].writes || (deeds[0].writes && deeds[2].writes));
    case Violation::deadlock:
        for (std::uint32_t i = 0; i < course->parts; ++i) {
            const Deed& held = course->holdings[(i + 1) % course->parts];
            if (!held.there.load() || held.address != deeds[i].address) return false;
            if (!held.writes && !deeds[i].writes) return false;
        }
        return true;
    }
    return false;
}

[[nodiscard]] bool waits_at_step(std::uint32_t os_thread) noexcept {
    for (std::size_t i = 0; i < course->plan.threads.size(); ++i) {
        const Actor& one = course->actors[i];
        if (one.os_thread.load() == os_thread) return one.activity.load() == Activity::parked;
    }
    return false;
}

void park(std::uint32_t thread, std::atomic<std::uint32_t>& word) noexcept {
    Actor& self = course->actors[thread];
    self.activity.store(Activity::parked);
    self.parked_on.store(&word);
    while (word.load(std::memory_order_acquire) == 0 && !is_over()) {
        wait_on(word, kSliceMs);
        if (word.load(std::memory_order_acquire) != 0 || is_over() || course->settled.load()) continue;
        if (course->stall.is_late(course->plan.limit_ms)) diverge("late", thread, self.next.load());
        if (course->stall.is_stalled(course->plan.stall_ms, waits_at_step))
            diverge("stalled", thread, self.next.load());
    }
    self.parked_on.store(nullptr);
    self.activity.store(Activity::running);
}

void locate(Step& one, const LoadedModule* const* loaded) noexcept {
    const PlanStep& about = *one.plan;
    if (const LoadedModule* module = loaded[about.place_module]; module != nullptr)
        one.place = module->bias + about.place_offset;
    one.address = about.address;
    if (about.rule == AddressRule::exact && loaded[about.address_module] != nullptr)
        one.address += loaded[about.address_module]->bias;
}

[[nodiscard]] bool is_same(const PlanModule& wanted, const LoadedModule& loaded) noexcept {
    if (!wanted.build_id.empty()) return wanted.build_id == loaded.build_id;
    return loaded.build_id.empty() && wanted.path == loaded.path;
}

/// Where the plan's places and addresses are in this process.
void locate_steps() noexcept {
    refresh_modules();
    std::vector<LoadedModule> known;
    for (std::uint32_t i = 0; i < ModuleTable::size(); ++i) known.push_back(ModuleTable::get(i));
    std::vector<const LoadedModule*> loaded(course->plan.modules.size(), nullptr);
    for (std::size_t i = 0; i < loaded.size(); ++i) {
        for (const LoadedModule& module : known) {
            if (!module.unloaded && is_same(course->plan.modules[i], module)) loaded[i] = &module;
        }
    }
    for (std::size_t i = 0; i < course->plan.steps.size(); ++i) locate(course->steps[i], loaded.data());
}

[[nodiscard]] std::string_view file_name(std::string_view path) noexcept {
    return path.substr(path.rfind('/') + 1);
}

/// Whether this process runs the program of the plan.
[[nodiscard]] bool is_program(const PlanModule& program) noexcept {
    const LoadedModule self = ModuleTable::get(0);
    if (is_same(program, self)) return true;
    if (file_name(program.path) == file_name(self.path)) refuse("rebuilt", self.path.c_str());
    return false;
}

} // namespace

bool begin_course() noexcept {
    const char* path = std::getenv("HEDDLE_REPLAY");
    if (path == nullptr) return false;
    Result<Plan> read = read_plan(path);
    if (!read) refuse("plan", (std::string(path) + ": " + read.error().message).c_str());
    // The program runs as long as whoever started the replay.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!is_program(read->modules[0]) || !claim_result()) return false;
    course = new Course{.plan = std::move(*read)};
    course->steps = std::make_unique<Step[]>(course->plan.steps.size());
    course->actors = std::make_unique<Actor[]>(course->plan.threads.size());
    for (std::uint32_t i = 0; i < course->plan.steps.size(); ++i) {
        course->steps[i].plan = &course->plan.steps[i];
        course->steps[i].number = i;
        if (course->plan.steps[i].role == Role::stand || course->plan.steps[i].role == Role::second)
            course->parts = std::max(course->parts, course->plan.steps[i].part + 1);
    }
    if (course->plan.stay) ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    locate_steps();
    course->stall.begin();
    course_over.store(false);
    return true;
}

const Plan& plan() noexcept {
    return course->plan;
}
Step* step(std::uint32_t number) noexcept {
    return course->steps.get() + number;
}
Actor& actor(std::uint32_t thread) noexcept {
    return course->actors[thread];
}

bool has_needs_left(const Step& one) noexcept {
    for (std::uint32_t i = 0; i < one.plan->needs; ++i) {
        if (course->steps[course->plan.needs[one.plan->first_need + i]].done.load(
                std::memory_order_acquire) == 0)
            return true;
    }
    return false;
}

void await_needs(std::uint32_t thread, const Step& one) noexcept {
    for (std::uint32_t i = 0; i < one.plan->needs && !is_over(); ++i) {
        Step& need = course->steps[course->plan.needs[one.plan->first_need + i]];
        if (need.done.load(std::memory_order_acquire) == 0) park(thread, need.done);
    }
}

void complete(Step& one) noexcept {
    course->stall.note_progress();
    one.done.store(1, std::memory_order_release);
    wake_all(&one.done);
}

void note_deed(std::uint32_t thread, const Step& one, Address address, std::size_t size,
               bool writes) noexcept {
    Deed& deed = (one.plan->role == Role::holds ? course->holdings : course->deeds)[one.plan->part];
    deed.address = address;
    deed.size = size;
    deed.writes = writes;
    deed.thread = thread;
    deed.there.store(true);
}

void forget_deed(const Step& one) noexcept {
    course->holdings[one.plan->part].there.store(false);
}

void stand_at(std::uint32_t thread, Step& one, Address address, std::size_t size, bool writes) noexcept {
    note_deed(thread, one, address, size, writes);
    course->stall.note_progress();
    const std::uint32_t needed = course->plan.violation == Violation::atomicity ? 1 : course->parts;
    if (course->standing.fetch_add(1) + 1 == needed) {
        if (is_violation())
            confirm();
        else
            diverge("elsewhere", thread, one.number);
    }
    park(thread, one.done); // nobody completes it: only the outcome ends this
}

void diverge(const char* why, std::uint32_t thread, std::uint32_t at) noexcept {
    if (is_over() || !settle()) return;
    ActorState states[kMaxToldActors];
    std::size_t count = 0;
    for (std::size_t i = 0; i < course->plan.threads.size() && count < kMaxToldActors; ++i) {
        const Actor& one = course->actors[i];
        states[count++] = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(one.activity.load()),
                           one.next.load()};
    }
    write_diverged(why, thread, at, states, count);
    raw_exit(0);
}

void process_exits(int status) noexcept {
    if (is_over() || !settle()) return;
    course_over.store(true);
    write_exited(status);
}

void leave_course() noexcept {
    course_over.store(true);
}

} // namespace heddle::recorder::replay
