// Decides what a thread does next, a critical section or so at a time, and keeps the whole within the
// wanted number of events.
#pragma once

#include "traces/generator.h"
#include "traces/generator/memory.h"
#include "traces/generator/random.h"
#include "traces/generator/world.h"

#include <vector>

namespace heddle::generator {

class Planner {
  public:
    Planner(const GeneratorSettings& settings, const Memory& memory);

    /// The first plan of a thread: T0 initialises and forks, the others begin.
    void plan_start(World& world, std::uint32_t thread, Random& random);
    /// The next plan of a thread that has carried out its last one. `written`: events so far.
    void plan_next(World& world, std::uint32_t thread, std::uint64_t written, Random& random);
    /// A step was carried out or skipped.
    void step_done() { --planned_; }

    [[nodiscard]] bool is_rwlock(std::uint32_t lock) const { return lock < settings_.rwlocks; }
    /// The mutex that goes with a condition.
    [[nodiscard]] std::uint32_t lock_of(std::uint32_t condition) const {
        return settings_.rwlocks + condition % (settings_.locks - settings_.rwlocks);
    }

  private:
    enum class Work : std::uint8_t { wait, notify, barrier, semaphore, once, block, annotation };

    void plan_end(std::uint32_t thread);
    void plan_section(Random& random);
    void plan_other(World& world, std::uint32_t thread, Random& random);
    void plan_block(Random& random);
    void open_barrier(World& world, std::uint32_t thread, Random& random);
    [[nodiscard]] std::vector<std::uint32_t> choose_locks(Random& random);
    void accesses(StepKind kind, std::uint32_t count);
    void acquire(std::uint32_t lock, Random& random);
    void step(StepKind kind, std::uint32_t object = kNoTarget) { plan_->push_back({kind, object}); }

    GeneratorSettings settings_;
    const Memory* memory_;
    std::vector<Work> other_work_; ///< what plan_other chooses from
    Chance other_;
    Chance transaction_;
    Chance disorder_;
    std::uint32_t longest_section_;
    std::uint32_t longest_gap_;
    std::vector<Step>* plan_ = nullptr;
    std::int64_t planned_ = 0;  ///< steps in plans
    std::int64_t reserved_ = 0; ///< events that will have to be planned: ends, joins, barriers
    std::int64_t left_ = 0;     ///< events that may still be planned
    bool closing_ = false;      ///< a thread ended or is about to
};

} // namespace heddle::generator
