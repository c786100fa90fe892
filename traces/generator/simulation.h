// Runs the threads of a generated program under a random scheduler and records what they do.
#pragma once

#include "traces/generator.h"
#include "traces/generator/event_writer.h"
#include "traces/generator/memory.h"
#include "traces/generator/planner.h"
#include "traces/generator/random.h"
#include "traces/generator/world.h"

#include <vector>

namespace heddle::generator {

class Simulation {
  public:
    explicit Simulation(const GeneratorSettings& settings);

    [[nodiscard]] Trace run(const Progress& progress);

  private:
    enum class Outcome : std::uint8_t { done, blocked };

    [[nodiscard]] Outcome run_step(std::uint32_t thread);
    [[nodiscard]] std::uint32_t run_another();
    void wake_someone();

    [[nodiscard]] Outcome carry_out(std::uint32_t thread, Step step);
    [[nodiscard]] Outcome carry_out_life(std::uint32_t thread, Step step);
    [[nodiscard]] Outcome carry_out_wait(std::uint32_t thread, Step step);
    [[nodiscard]] Outcome carry_out_resource(std::uint32_t thread, Step step);
    void access_in_section(std::uint32_t thread);
    void access_outside(std::uint32_t thread);
    [[nodiscard]] bool access_guarded(std::uint32_t thread);
    [[nodiscard]] bool access_unguarded(std::uint32_t thread);
    [[nodiscard]] bool access_private(std::uint32_t thread);
    [[nodiscard]] bool access_atomic(std::uint32_t thread);
    void access(std::uint32_t thread, VariableNumber variable, bool may_write);
    [[nodiscard]] Outcome acquire(std::uint32_t thread, std::uint32_t lock, bool shared);
    void release(std::uint32_t thread, std::uint32_t lock);
    void notify(std::uint32_t thread, std::uint32_t condition);
    void enter_barrier(std::uint32_t thread, std::uint32_t number);

    /// An event whose target, if any, is the nth object of its kind.
    void emit(std::uint32_t thread, EventKind kind, std::uint32_t number = kNoTarget) {
        writer_.add(thread, kind, number, random_);
    }
    void emit(std::uint32_t thread, EventKind kind, std::uint32_t number, std::uint64_t value) {
        writer_.add(thread, kind, number, value, random_);
    }

    GeneratorSettings settings_;
    Random random_;
    EventWriter writer_;
    Memory memory_;
    Planner planner_;
    World world_;
    std::vector<std::uint32_t> live_; ///< threads that were forked and have not ended
    std::uint64_t tickets_ = 0;

    Chance switch_;
    Chance atomic_;
    Chance write_;
    Chance race_;
    Chance timeout_;
    Chance private_in_section_;
    Chance unguarded_outside_;
};

} // namespace heddle::generator
