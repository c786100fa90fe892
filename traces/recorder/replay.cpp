#include "traces/recorder/replay.h"

#include "traces/recorder/internal_memory.h"
#include "traces/recorder/raw_system_call.h"
#include "traces/recorder/real_functions.h"
#include "traces/recorder/recording.h"
#include "traces/recorder/replay_follower.h"

#include <climits>
#include <new>

namespace heddle::recorder::replay {

void Parts::distribute(const Plan& plan) {
    first_.assign(plan.threads.size() + 1, 0);
    for (const PlanStep& one : plan.steps) ++first_[one.thread + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    std::vector<std::size_t> at(first_.begin(), first_.end() - 1);
    numbers_.resize(plan.steps.size());
    for (std::uint32_t i = 0; i < plan.steps.size(); ++i) numbers_[at[plan.steps[i].thread]++] = i;
    std::vector<Step*> goals(plan.threads.size(), nullptr);
    for (std::size_t i = plan.steps.size(); i-- > 0;) {
        const PlanStep& about = plan.steps[i];
        Step*& goal = goals[about.thread];
        if (!is_plain(about.operation)) {
            goal = nullptr;
        } else if (is_final(about.role)) {
            goal = step(static_cast<std::uint32_t>(i));
        }
        step(static_cast<std::uint32_t>(i))->goal = goal;
    }
}

namespace {

constinit Parts* parts = nullptr;
pthread_key_t end_key;

void tell_next(const Follower& self) noexcept {
    const Step* one = self.next_step();
    actor(self.thread)
        .next.store(one == nullptr ? static_cast<std::uint32_t>(plan().steps.size()) : one->number);
}

void advance(Follower& self) noexcept {
    ++self.next;
    self.matches = 0;
    tell_next(self);
}

/// The access that it was about to make is made.
void settle_access(Follower& self) noexcept {
    if (self.made == nullptr) return;
    complete(*self.made);
    self.made = nullptr;
}

/// The thread is past the next step without having done it: others need not wait for it. Of the violation
/// itself nothing can come any more.
void miss(Follower& self) noexcept {
    Step* one = self.next_step();
    if (is_final(one->plan->role)) return diverge("passed", self.thread, one->number);
    complete(*one);
    advance(self);
}

/// An access is looked for between two synchronisation operations; here is the next one.
void miss_accesses(Follower& self) noexcept {
    for (const Step* one = self.next_step(); one != nullptr && is_plain(one->plan->operation) && !is_over();
         one = self.next_step())
        miss(self);
}

[[nodiscard]] bool is_at(const Step& one, Address address, std::size_t size) noexcept {
    switch (one.plan->rule) {
    case AddressRule::any: return true;
    case AddressRule::exact: return one.address - address < size;
    case AddressRule::low: return ((one.address - address) & kLowMask) < size;
    }
    return false;
}

/// Whether this arrival is the one that the step means. Not the ones before, and of reads not those that see
/// what the last one saw: they are not recorded either.
[[nodiscard]] bool is_the_one(Follower& self, const Step& one, EventKind kind, Address address,
                              std::size_t size) noexcept {
    if (one.plan->count == 1) return true;
    if (kind == EventKind::read && size <= 8) {
        const std::uint64_t value = load_value(address, static_cast<unsigned>(size));
        if (self.matches > 0 && value == self.last_value) return false;
        self.last_value = value;
    }
    return ++self.matches == one.plan->count;
}

/// The access of the violation, if this is it though accesses before it were not met: what code without
/// instrumentation left in memory may lead a thread there on another way. The other steps count as missed then.
[[nodiscard]] Step* goal_at(Follower& self, Operation operation, Address address, std::size_t size,
                            Address place) noexcept {
    const Step* next = self.next_step();
    if (next == nullptr || next->goal == nullptr || next->goal == next) return nullptr;
    Step* goal = next->goal;
    if (goal->place != place || goal->plan->operation != operation) return nullptr;
    // The place alone may be met before, for other memory.
    if (goal->plan->rule == AddressRule::any || goal->plan->count != 1) return nullptr;
    if (!is_at(*goal, address, size)) return nullptr;
    while (self.next_step() != goal) miss(self);
    return goal;
}

/// What a thread does at a step of the violation, before it does it.
void act(Follower& self, Step& one, Address address, std::size_t size, bool writes) noexcept {
    switch (one.plan->role) {
    case Role::stand:
    case Role::second: return stand_at(self.thread, one, address, size, writes);
    case Role::first:
    case Role::remote: return note_deed(self.thread, one, address, size, writes);
    default: return;
    }
}

/// The lock is no longer held. A deadlock's thread does not hold then what it should.
void gave_back(Follower& self, Address lock) noexcept {
    if (self.holds == nullptr || self.held_lock != lock) return;
    forget_deed(*self.holds);
    self.holds = nullptr;
}

/// The thread's next step, if that is the end of the wait at this place.
[[nodiscard]] Step* next_wake(Follower& self, Address place) noexcept {
    if (self.thread == Follower::kNobody || is_over()) return nullptr;
    Step* one = self.step_at(Operation::wake, place);
    return one != nullptr && self.matches + 1 == one->plan->count ? one : nullptr;
}

[[nodiscard]] bool needs_notify(const Step& one) noexcept {
    for (std::uint32_t i = 0; i < one.plan->needs; ++i) {
        if (step(plan().needs[one.plan->first_need + i])->plan->operation == Operation::notify) return true;
    }
    return false;
}

/// Comes to the end of a wait without the mutex, which others may need first.
void wait_without(const void* mutex, Follower& self, Step& one) noexcept {
    // A mutex of C11 is one of pthread's in the C library.
    auto* lock = static_cast<pthread_mutex_t*>(const_cast<void*>(mutex));
    real().pthread_mutex_unlock(lock);
    await_needs(self.thread, one);
    if (!is_over()) act(self, one, reinterpret_cast<Address>(mutex), 1, true);
    real().pthread_mutex_lock(lock);
}

void on_thread_end(void* raw) {
    auto* state = static_cast<ThreadState*>(raw);
    Follower& self = *state->follower;
    // Thread-local destructors of the program may still run: this one is put off to the last round.
    if (++self.end_rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
        ::pthread_setspecific(end_key, raw);
        return;
    }
    ++state->inside;
    if (self.thread != Follower::kNobody) {
        settle_access(self);
        while (self.next_step() != nullptr && !is_over()) {
            if (is_final(self.next_step()->plan->role))
                diverge("ended", self.thread, self.next_step()->number);
            miss(self);
        }
        actor(self.thread).activity.store(Activity::ended);
    }
    current_state = nullptr;
    self.~Follower();
    release(state->follower);
    release(state);
}

[[nodiscard]] ThreadState* new_state() noexcept {
    void* state = allocate(sizeof(ThreadState));
    void* follower = allocate(sizeof(Follower));
    if (state == nullptr || follower == nullptr) return release(state), release(follower), nullptr;
    auto* made = new (state) ThreadState;
    made->follower = new (follower) Follower;
    made->inside = ThreadState::kReplaying;
    return made;
}

/// The thread of the plan that is this creation of the parent.
[[nodiscard]] std::uint32_t child_of(std::uint32_t parent, std::uint32_t fork) noexcept {
    const std::vector<PlanThread>& threads = plan().threads;
    for (std::uint32_t i = 1; i < threads.size(); ++i) {
        if (threads[i].parent == parent && threads[i].fork == fork) return i;
    }
    return Follower::kNobody;
}

} // namespace

ThreadState* start() noexcept {
    if (!begin_course() || ::pthread_key_create(&end_key, on_thread_end) != 0) return nullptr;
    parts = new Parts;
    parts->distribute(plan());
    ThreadState* state = new_state();
    if (state == nullptr) return nullptr;
    parts->give(0, *state->follower);
    return state;
}

void arrive_now(ThreadState& state, Operation operation, Address object, Address place, Sure sure) noexcept {
    const Inside inside(state);
    Follower& self = *state.follower;
    if (self.thread == Follower::kNobody || is_over()) return;
    settle_access(self);
    if (takes_lock(operation) && self.held.holds(object)) return;
    if (sure == Sure::yes) miss_accesses(self);
    Step* one = self.step_at(operation, place);
    if (one == nullptr || self.matches + 1 != one->plan->count) return;
    await_needs(self.thread, *one);
    if (is_over()) return;
    if (one->plan->role == Role::stand && sure == Sure::no)
        return diverge("passed", self.thread, one->number);
    act(self, *one, object, 1, operation != Operation::acquire_shared);
}

void happened_now(ThreadState& state, Operation operation, Address object, Address place) noexcept {
    const Inside inside(state);
    Follower& self = *state.follower;
    if (self.thread == Follower::kNobody) return;
    const bool outermost = !takes_lock(operation) || self.held.acquire(object);
    if (!outermost && operation != Operation::wake) return;
    if (operation == Operation::release && !self.held.release(object)) return;
    if (is_over()) return;
    settle_access(self);
    miss_accesses(self);
    self.seen = {};
    if (operation == Operation::release) gave_back(self, object);
    Step* one = self.step_at(operation, place);
    if (one == nullptr || ++self.matches != one->plan->count) return;
    if (one->plan->role == Role::holds) {
        note_deed(self.thread, *one, object, 1, operation != Operation::acquire_shared);
        self.holds = one;
        self.held_lock = object;
    }
    complete(*one);
    advance(self);
}

void access_now(ThreadState& state, EventKind kind, Address address, std::size_t size,
                Address place) noexcept {
    const Inside inside(state);
    Follower& self = *state.follower;
    if (self.thread == Follower::kNobody || is_over()) return;
    settle_access(self);
    const bool writes = kind == EventKind::write;
    const Operation operation = writes ? Operation::write : Operation::read;
    Step* one = self.step_at(operation, place);
    if (one == nullptr || !is_at(*one, address, size) || !is_the_one(self, *one, kind, address, size))
        one = goal_at(self, operation, address, size, place);
    if (one == nullptr) return;
    await_needs(self.thread, *one);
    if (is_over()) return;
    act(self, *one, address, size, writes);
    self.made = one;
    advance(self);
}

void moved_on_now(ThreadState& state) noexcept {
    Follower& self = *state.follower;
    if (self.made == nullptr) return;
    const Inside inside(state);
    settle_access(self);
}

void atomic_arrives(Address object, std::size_t size, Address place, bool only_reads) noexcept {
    ThreadState* state = current_state;
    if (!is_following(state)) return;
    const Inside inside(*state);
    Follower& self = *state->follower;
    if (self.thread == Follower::kNobody || is_over()) return;
    settle_access(self);
    miss_accesses(self);
    Step* one = self.step_at(Operation::atomic, place);
    if (one == nullptr || self.matches + 1 != one->plan->count) return;
    await_needs(self.thread, *one);
    // Whether it will write is not known of a compare-exchange. If it does not, the other side of a race
    // does.
    if (!is_over()) act(self, *one, object, size, !only_reads);
}

void atomic_happened(Address object, Address place, bool only_read, std::uint64_t seen) noexcept {
    ThreadState* state = current_state;
    if (!is_following(state)) return;
    Follower& self = *state->follower;
    if (only_read && self.seen.address == object && self.seen.place == place && self.seen.value == seen)
        return;
    happened_now(*state, Operation::atomic, object, place);
    if (only_read) self.seen = {object, place, seen};
}

bool waits_instead(const void* condition, const void* mutex, Sure sure, Address place) noexcept {
    arrive(Operation::wait, condition, place);
    happened(Operation::wait, condition, place);
    ThreadState* state = current_state;
    if (!is_following(state)) return false;
    const Inside inside(*state);
    Follower& self = *state->follower;
    self.held.release(reinterpret_cast<Address>(mutex));
    gave_back(self, reinterpret_cast<Address>(mutex));
    Step* one = next_wake(self, place);
    if (one == nullptr || one->plan->role == Role::hold) return false;
    if (sure == Sure::no && !needs_notify(*one)) return false; // its time was over
    wait_without(mutex, self, *one);
    return true;
}

void woke(const void* mutex, Address place) noexcept {
    ThreadState* state = current_state;
    if (!is_following(state)) return;
    {
        const Inside inside(*state);
        Follower& self = *state->follower;
        Step* one = next_wake(self, place);
        if (one != nullptr && has_needs_left(*one)) wait_without(mutex, self, *one);
    }
    happened_now(*state, Operation::wake, reinterpret_cast<Address>(mutex), place);
}

ThreadState* create(Address place) noexcept {
    ThreadState* creator = current_state;
    if (!is_following(creator)) return nullptr;
    Follower& parent = *creator->follower;
    arrive_now(*creator, Operation::fork, 0, place, Sure::yes);
    ThreadState* created = nullptr;
    {
        const Inside inside(*creator);
        created = new_state();
        ++parent.forks;
        const std::uint32_t thread =
            parent.thread == Follower::kNobody ? Follower::kNobody : child_of(parent.thread, parent.forks);
        if (created != nullptr && thread != Follower::kNobody) parts->give(thread, *created->follower);
    }
    happened_now(*creator, Operation::fork, 0, place);
    return created;
}

void begin(ThreadState& state) noexcept {
    ++state.inside;
    current_state = &state;
    ::pthread_setspecific(end_key, &state);
    const Follower& self = *state.follower;
    if (self.thread != Follower::kNobody) {
        Actor& known = actor(self.thread);
        known.os_thread.store(raw_thread_id());
        known.activity.store(Activity::running);
        tell_next(self);
    }
    --state.inside;
}

void abandon(ThreadState& state) noexcept {
    release(state.follower);
    release(&state);
}

void process_ends(int status) noexcept {
    ThreadState* state = current_state;
    if (!is_following(state)) return;
    const Inside inside(*state);
    settle_access(*state->follower);
    process_exits(status);
}

void leave_in_child() noexcept {
    leave_course();
}

} // namespace heddle::recorder::replay
