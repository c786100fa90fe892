#include "traces/generator/simulation.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace heddle::generator {

namespace {

World make_world(const GeneratorSettings& settings, Random& random) {
    World world;
    world.threads.resize(settings.threads);
    world.locks.resize(settings.locks);
    world.waiters.resize(settings.conditions);
    world.semaphores.resize(settings.semaphores, settings.semaphore_count);
    world.onces.resize(settings.onces);
    world.marked.resize(settings.annotations);
    for (std::uint32_t i = 0; i < settings.barriers && settings.threads > 1; ++i) {
        BarrierState barrier{.member = std::vector<bool>(settings.threads, i == 0),
                             .arrived = std::vector<bool>(settings.threads)};
        // The first barrier is everybody's; each other one has at least two members.
        const std::uint32_t first = random.below(settings.threads);
        barrier.member[first] = barrier.member[(first + 1) % settings.threads] = true;
        for (std::uint32_t thread = 0; thread < settings.threads; ++thread) {
            if (random.one_in(2)) barrier.member[thread] = true;
            barrier.members += barrier.member[thread] ? 1U : 0U;
        }
        world.barriers.push_back(std::move(barrier));
    }
    return world;
}

} // namespace

Simulation::Simulation(const GeneratorSettings& settings)
    : settings_(settings), random_(settings.seed), writer_(settings.places, settings.stack_depth),
      memory_(settings, random_), planner_(settings, memory_), world_(make_world(settings, random_)),
      switch_(1 / settings.mean_run), atomic_(settings.atomics), write_(settings.writes),
      race_(settings.race_rate), timeout_(settings.timeouts), private_in_section_((1 - settings.sharing) / 2),
      unguarded_outside_(settings.sharing * settings.race_rate) {
    for (std::uint32_t thread = 0; thread < settings.threads; ++thread) {
        planner_.plan_start(world_, thread, random_);
    }
}

Trace Simulation::run(const Progress& progress) {
    live_.push_back(0);
    std::uint32_t current = 0;
    for (std::uint64_t step = 1; !live_.empty(); ++step) {
        if (!keep_going(progress, step, settings_.events)) break;
        if (world_.threads[current].ended || random_.happens(switch_)) current = random_.pick(live_);
        if (run_step(current) == Outcome::blocked) current = run_another();
    }
    return writer_.take({.settings = describe(settings_)});
}

Simulation::Outcome Simulation::run_step(std::uint32_t thread) {
    ThreadState& state = world_.threads[thread];
    if (state.next == state.plan.size()) planner_.plan_next(world_, thread, writer_.size(), random_);
    const Outcome outcome = carry_out(thread, state.plan[state.next]);
    if (outcome == Outcome::done) {
        ++state.next;
        planner_.step_done();
    }
    return outcome;
}

std::uint32_t Simulation::run_another() {
    const auto count = static_cast<std::uint32_t>(live_.size());
    const std::uint32_t start = random_.below(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t thread = live_[(start + i) % count];
        if (run_step(thread) == Outcome::done) return thread;
    }
    wake_someone();
    return live_[start];
}

void Simulation::wake_someone() {
    // Threads block only on those that hold a lock, arrive at the barrier, initialise or end, and these
    // go on: so if nobody can, somebody waits for a notify that will not come.
    for (auto& waiters : world_.waiters) {
        if (waiters.empty()) continue;
        world_.threads[waiters.back()].waiting = false;
        return waiters.pop_back();
    }
    assert(false && "the simulation cannot deadlock");
}

Simulation::Outcome Simulation::carry_out(std::uint32_t thread, Step step) {
    switch (step.kind) {
    case StepKind::access_in_section: access_in_section(thread); return Outcome::done;
    case StepKind::access_outside: access_outside(thread); return Outcome::done;
    case StepKind::acquire: return acquire(thread, step.object, false);
    case StepKind::acquire_shared: return acquire(thread, step.object, true);
    case StepKind::release: release(thread, step.object); return Outcome::done;
    case StepKind::txn_begin: emit(thread, EventKind::txn_begin, step.object); return Outcome::done;
    case StepKind::txn_end: emit(thread, EventKind::txn_end, step.object); return Outcome::done;
    case StepKind::begin:
    case StepKind::end:
    case StepKind::fork:
    case StepKind::join:
    case StepKind::initialise: return carry_out_life(thread, step);
    case StepKind::wait_pre:
    case StepKind::wait_release:
    case StepKind::wait_acquire:
    case StepKind::wait_post:
    case StepKind::notify:
    case StepKind::barrier_enter:
    case StepKind::barrier_leave: return carry_out_wait(thread, step);
    default: return carry_out_resource(thread, step);
    }
}

Simulation::Outcome Simulation::carry_out_life(std::uint32_t thread, Step step) {
    switch (step.kind) {
    case StepKind::begin: emit(thread, EventKind::thread_begin); break;
    case StepKind::initialise: memory_.write(thread, step.object, writer_, random_); break;
    case StepKind::fork:
        emit(thread, EventKind::fork, step.object);
        live_.push_back(step.object);
        break;
    case StepKind::join:
        if (!world_.threads[step.object].ended) return Outcome::blocked;
        emit(thread, EventKind::join, step.object);
        break;
    default:
        emit(thread, EventKind::thread_end);
        world_.threads[thread].ended = true;
        std::erase(live_, thread);
    }
    return Outcome::done;
}

Simulation::Outcome Simulation::carry_out_wait(std::uint32_t thread, Step step) {
    ThreadState& state = world_.threads[thread];
    switch (step.kind) {
    case StepKind::wait_pre:
        emit(thread, EventKind::wait_pre, step.object);
        state.impatient = random_.happens(timeout_);
        state.ticket.reset();
        break;
    case StepKind::wait_release:
        release(thread, planner_.lock_of(step.object));
        world_.waiters[step.object].push_back(thread);
        state.waiting = true;
        break;
    case StepKind::wait_acquire:
        if (state.waiting && state.impatient && random_.one_in(4)) {
            std::erase(world_.waiters[step.object], thread);
            state.waiting = false;
        }
        if (state.waiting) return Outcome::blocked;
        return acquire(thread, planner_.lock_of(step.object), false);
    case StepKind::wait_post:
        if (state.ticket) {
            emit(thread, EventKind::wait_post, step.object, *state.ticket);
        } else {
            emit(thread, EventKind::wait_post, step.object);
        }
        break;
    case StepKind::notify: notify(thread, step.object); break;
    case StepKind::barrier_enter: enter_barrier(thread, step.object); break;
    default:
        if (world_.barriers[step.object].round == state.barrier_round) return Outcome::blocked;
        emit(thread, EventKind::barrier_leave, step.object, state.barrier_round);
    }
    return Outcome::done;
}

void Simulation::notify(std::uint32_t thread, std::uint32_t condition) {
    const bool all = random_.one_in(3);
    const std::uint64_t ticket = ++tickets_;
    emit(thread, all ? EventKind::notify_all : EventKind::notify, condition, ticket);
    auto& waiters = world_.waiters[condition];
    while (!waiters.empty()) {
        const std::uint32_t which = random_.below(static_cast<std::uint32_t>(waiters.size()));
        ThreadState& woken = world_.threads[waiters[which]];
        woken.waiting = false;
        woken.ticket = ticket;
        waiters.erase(waiters.begin() + which);
        if (!all) break;
    }
}

void Simulation::enter_barrier(std::uint32_t thread, std::uint32_t number) {
    BarrierState& barrier = world_.barriers[number];
    emit(thread, EventKind::barrier_enter, number, barrier.round);
    world_.threads[thread].barrier_round = barrier.round;
    barrier.arrived[thread] = true;
    if (++barrier.arrivals < barrier.members) return;
    barrier.arrivals = 0;
    barrier.arrived.assign(barrier.arrived.size(), false);
    ++barrier.round;
    world_.open_barrier.reset();
}

Simulation::Outcome Simulation::carry_out_resource(std::uint32_t thread, Step step) {
    switch (step.kind) {
    case StepKind::sem_init: emit(thread, EventKind::sem_init, step.object, settings_.semaphore_count); break;
    case StepKind::sem_post:
        emit(thread, EventKind::sem_post, step.object);
        ++world_.semaphores[step.object];
        break;
    case StepKind::sem_wait:
        if (world_.semaphores[step.object] == 0) break;
        emit(thread, EventKind::sem_wait, step.object);
        --world_.semaphores[step.object];
        break;
    case StepKind::once_begin: {
        OnceState& once = world_.onces[step.object];
        if (once.initialiser != kNoTarget && !once.done) return Outcome::blocked;
        if (!once.done) once.initialiser = thread;
        emit(thread, once.done ? EventKind::once_seen : EventKind::once_begin, step.object);
        break;
    }
    case StepKind::once_body:
        if (world_.onces[step.object].done) {
            memory_.read(thread, memory_.of_once(step.object), writer_, random_);
        } else {
            memory_.write(thread, memory_.of_once(step.object), writer_, random_);
        }
        break;
    case StepKind::once_end:
        if (world_.onces[step.object].done) break;
        emit(thread, EventKind::once_end, step.object);
        world_.onces[step.object].done = true;
        break;
    case StepKind::allocate_or_free: memory_.allocate_or_free(thread, step.object, writer_, random_); break;
    case StepKind::access_field:
        if (const auto field = memory_.field(step.object, random_)) access(thread, *field, true);
        break;
    default: { // annotate
        const bool after = world_.marked[step.object] && random_.one_in(2);
        emit(thread, after ? EventKind::happens_after : EventKind::happens_before, step.object);
        world_.marked[step.object] = true;
    }
    }
    return Outcome::done;
}

Simulation::Outcome Simulation::acquire(std::uint32_t thread, std::uint32_t lock, bool shared) {
    LockState& state = world_.locks[lock];
    ThreadState& by = world_.threads[thread];
    if (state.owned || (!shared && state.sharers > 0)) {
        return by.held.empty() ? Outcome::blocked : Outcome::done;
    }
    emit(thread, shared ? EventKind::acquire_shared : EventKind::acquire, lock);
    by.held.push_back({lock, shared});
    state.owned = !shared;
    state.sharers += shared ? 1U : 0U;
    return Outcome::done;
}

void Simulation::release(std::uint32_t thread, std::uint32_t lock) {
    auto& held = world_.threads[thread].held;
    const auto hold =
        std::find_if(held.begin(), held.end(), [&](const HeldLock& one) { return one.lock == lock; });
    if (hold == held.end()) return;
    emit(thread, hold->shared ? EventKind::release_shared : EventKind::release, lock);
    LockState& state = world_.locks[lock];
    if (hold->shared) {
        --state.sharers;
    } else {
        state.owned = false;
    }
    held.erase(hold);
}

void Simulation::access_in_section(std::uint32_t thread) {
    if (random_.happens(atomic_) && access_atomic(thread)) return;
    if (random_.happens(private_in_section_) && access_private(thread)) return;
    if (random_.happens(race_) && access_unguarded(thread)) return;
    if (access_guarded(thread)) return;
    static_cast<void>(access_private(thread));
}

void Simulation::access_outside(std::uint32_t thread) {
    if (random_.happens(atomic_) && access_atomic(thread)) return;
    if (random_.happens(unguarded_outside_) && access_unguarded(thread)) return;
    if (access_private(thread)) return;
    if (settings_.locks == 0) static_cast<void>(access_unguarded(thread));
}

bool Simulation::access_guarded(std::uint32_t thread) {
    auto& held = world_.threads[thread].held;
    if (held.empty()) return false;
    const HeldLock hold = random_.pick(held);
    const auto variable = memory_.guarded_by(hold.lock, random_);
    if (variable) access(thread, *variable, !hold.shared);
    return variable.has_value();
}

bool Simulation::access_unguarded(std::uint32_t thread) {
    for (int attempt = 0; attempt < 4; ++attempt) {
        const auto variable = memory_.shared(random_);
        if (!variable) return false;
        if (world_.threads[thread].holds(memory_.guard(*variable))) continue;
        access(thread, *variable, true);
        return true;
    }
    return false;
}

bool Simulation::access_private(std::uint32_t thread) {
    const auto variable = memory_.private_of(thread, random_);
    if (variable) access(thread, *variable, true);
    return variable.has_value();
}

bool Simulation::access_atomic(std::uint32_t thread) {
    constexpr std::array kFenceOrders = {MemoryOrder::acquire, MemoryOrder::release, MemoryOrder::acq_rel,
                                         MemoryOrder::seq_cst};
    if (random_.one_in(8)) {
        writer_.add({.kind = EventKind::fence,
                     .thread = writer_.thread_row(thread),
                     .order = random_.pick(kFenceOrders)},
                    random_);
        return true;
    }
    const auto variable = memory_.atomic(random_);
    if (variable) memory_.access_atomically(thread, *variable, writer_, random_);
    return variable.has_value();
}

void Simulation::access(std::uint32_t thread, VariableNumber variable, bool may_write) {
    if (may_write && random_.happens(write_)) {
        memory_.write(thread, variable, writer_, random_);
    } else {
        memory_.read(thread, variable, writer_, random_);
    }
}

} // namespace heddle::generator
