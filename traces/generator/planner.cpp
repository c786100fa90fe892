#include "traces/generator/planner.h"

#include <algorithm>
#include <utility>

namespace heddle::generator {

Planner::Planner(const GeneratorSettings& settings, const Memory& memory)
    : settings_(settings), memory_(&memory), other_(settings.other_work), transaction_(settings.transactions),
      disorder_(settings.deadlock_rate) {
    const auto offer = [&](std::uint32_t count, Work work) {
        if (count > 0) other_work_.push_back(work);
    };
    offer(settings.conditions, Work::wait);
    offer(settings.conditions, Work::notify);
    offer(settings.threads > 1 ? settings.barriers : 0, Work::barrier);
    offer(settings.semaphores, Work::semaphore);
    offer(settings.onces, Work::once);
    offer(settings.blocks, Work::block);
    offer(settings.annotations, Work::annotation);

    // Private accesses are made half inside critical sections and half in the gaps between them, which
    // are as long as it takes to meet the fraction of shared accesses.
    const double mean = settings.section_accesses;
    const double sharing = std::max(settings.sharing, 0.05);
    const double gap = mean * ((1 + sharing) / (2 * sharing) - 1);
    longest_section_ = std::max(1U, static_cast<std::uint32_t>(2 * mean - 1));
    longest_gap_ = static_cast<std::uint32_t>(2 * gap);
    reserved_ = 2 * std::int64_t{settings.threads} - 1;
}

void Planner::plan_start(World& world, std::uint32_t thread, Random& random) {
    ThreadState& state = world.threads[thread];
    plan_ = &state.plan;
    step(StepKind::begin);
    if (thread == 0) {
        const auto initialised = std::min<std::uint64_t>(settings_.variables, settings_.events / 10);
        for (std::uint32_t i = 0; i < initialised; ++i) step(StepKind::initialise, i);
        for (std::uint32_t i = 0; i < settings_.semaphores; ++i) step(StepKind::sem_init, i);
        for (std::uint32_t i = 1; i < settings_.threads; ++i) {
            step(StepKind::fork, i);
            // Workers that are already there run on while the others are started.
            if (random.one_in(4)) step(StepKind::access_outside);
        }
    }
    planned_ += static_cast<std::int64_t>(plan_->size());
}

void Planner::plan_next(World& world, std::uint32_t thread, std::uint64_t written, Random& random) {
    ThreadState& state = world.threads[thread];
    plan_ = &state.plan;
    plan_->clear();
    state.next = 0;
    left_ = static_cast<std::int64_t>(settings_.events) - static_cast<std::int64_t>(written) - planned_ -
            reserved_;
    if (world.open_barrier) {
        const BarrierState& barrier = world.barriers[*world.open_barrier];
        if (barrier.member[thread] && !barrier.arrived[thread]) {
            step(StepKind::barrier_enter, *world.open_barrier);
            step(StepKind::barrier_leave, *world.open_barrier);
            reserved_ -= 2;
        }
    }
    if (plan_->empty()) {
        if (left_ <= 0) {
            plan_end(thread);
        } else if (!other_work_.empty() && random.happens(other_)) {
            plan_other(world, thread, random);
        } else {
            plan_section(random);
        }
    }
    planned_ += static_cast<std::int64_t>(plan_->size());
}

void Planner::plan_end(std::uint32_t thread) {
    closing_ = true;
    if (thread == 0) {
        for (std::uint32_t i = 1; i < settings_.threads; ++i) step(StepKind::join, i);
        reserved_ -= settings_.threads - 1;
    }
    step(StepKind::end);
    reserved_ -= 1;
}

void Planner::accesses(StepKind kind, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) step(kind);
}

std::vector<std::uint32_t> Planner::choose_locks(Random& random) {
    std::vector<std::uint32_t> locks = {random.below(settings_.locks)};
    while (locks.size() < settings_.max_lock_depth && random.one_in(3)) {
        const std::uint32_t highest = *std::max_element(locks.begin(), locks.end());
        const bool in_order = !random.happens(disorder_);
        if (in_order && highest + 1 == settings_.locks) break;
        const std::uint32_t lock =
            in_order ? random.between(highest + 1, settings_.locks - 1) : random.below(settings_.locks);
        if (std::find(locks.begin(), locks.end(), lock) == locks.end()) locks.push_back(lock);
    }
    return locks;
}

void Planner::acquire(std::uint32_t lock, Random& random) {
    const bool shared = is_rwlock(lock) && random.below(8) < 5;
    step(shared ? StepKind::acquire_shared : StepKind::acquire, lock);
}

void Planner::plan_section(Random& random) {
    const auto room = static_cast<std::uint32_t>(std::min<std::int64_t>(left_, 1U << 30U));
    const std::uint32_t count = std::min(room, random.between(1, longest_section_));
    if (settings_.locks == 0) return accesses(StepKind::access_outside, count);

    const bool transaction = random.happens(transaction_);
    const std::uint32_t tag = random.one_in(2) ? kNoTarget : settings_.annotations + random.below(3);
    if (transaction) step(StepKind::txn_begin, tag);
    std::vector<std::uint32_t> locks = choose_locks(random);
    // Accesses follow each acquire and, but for the last, each release.
    const auto part = count / static_cast<std::uint32_t>(2 * locks.size() - 1);
    for (const std::uint32_t lock : locks) {
        acquire(lock, random);
        if (lock != locks.back()) accesses(StepKind::access_in_section, part);
    }
    accesses(StepKind::access_in_section, count - part * 2 * static_cast<std::uint32_t>(locks.size() - 1));
    while (!locks.empty()) {
        const std::size_t which =
            settings_.nested ? locks.size() - 1 : random.below(static_cast<std::uint32_t>(locks.size()));
        step(StepKind::release, locks[which]);
        locks.erase(locks.begin() + static_cast<std::ptrdiff_t>(which));
        if (!locks.empty()) accesses(StepKind::access_in_section, part);
    }
    if (transaction) step(StepKind::txn_end, tag);
    accesses(StepKind::access_outside, random.between(0, std::min(longest_gap_, room - count)));
}

void Planner::plan_other(World& world, std::uint32_t thread, Random& random) {
    switch (random.pick(other_work_)) {
    case Work::wait: {
        const std::uint32_t condition = random.below(settings_.conditions);
        const std::uint32_t lock = lock_of(condition);
        step(StepKind::acquire, lock);
        step(StepKind::access_in_section);
        step(StepKind::wait_pre, condition);
        step(StepKind::wait_release, condition);
        step(StepKind::wait_acquire, condition);
        step(StepKind::wait_post, condition);
        step(StepKind::access_in_section);
        return step(StepKind::release, lock);
    }
    case Work::notify: {
        const std::uint32_t condition = random.below(settings_.conditions);
        const std::uint32_t lock = lock_of(condition);
        const bool after_release = random.one_in(3);
        step(StepKind::acquire, lock);
        step(StepKind::access_in_section);
        if (!after_release) step(StepKind::notify, condition);
        step(StepKind::release, lock);
        if (after_release) step(StepKind::notify, condition);
        return;
    }
    case Work::barrier: return open_barrier(world, thread, random);
    case Work::semaphore: {
        const std::uint32_t semaphore = random.below(settings_.semaphores);
        if (!random.one_in(5)) step(StepKind::sem_wait, semaphore);
        step(StepKind::access_outside);
        if (!random.one_in(5)) step(StepKind::sem_post, semaphore);
        return;
    }
    case Work::once: {
        const std::uint32_t once = random.below(settings_.onces);
        step(StepKind::once_begin, once);
        step(StepKind::once_body, once);
        return step(StepKind::once_end, once);
    }
    case Work::block: return plan_block(random);
    case Work::annotation: return step(StepKind::annotate, random.below(settings_.annotations));
    }
}

void Planner::plan_block(Random& random) {
    const std::uint32_t slot = random.below(settings_.blocks);
    const bool locked = settings_.locks > 0;
    if (locked) step(StepKind::acquire, memory_->guard_of_slot(slot));
    step(StepKind::allocate_or_free, slot);
    step(StepKind::access_field, slot);
    if (locked) step(StepKind::release, memory_->guard_of_slot(slot));
}

void Planner::open_barrier(World& world, std::uint32_t thread, Random& random) {
    const std::uint32_t chosen = random.below(settings_.barriers);
    const BarrierState& barrier = world.barriers[chosen];
    // Whoever ends would be missed, and two open barriers could wait for each other.
    if (closing_ || world.open_barrier || !barrier.member[thread] ||
        left_ < 2 * std::int64_t{barrier.members}) {
        return plan_section(random);
    }
    world.open_barrier = chosen;
    step(StepKind::barrier_enter, chosen);
    step(StepKind::barrier_leave, chosen);
    reserved_ += 2 * std::int64_t{barrier.members} - 2;
}

} // namespace heddle::generator
