// A replay plan, and how the recorder reads it from the text that `heddle replay` wrote (docs/replay.md). A
// text may be anything: what is not a plan is refused with the line and what is wrong with it.
#pragma once

#include "traces/recorder/replay_operations.h"
#include "traces/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::replay {

inline constexpr std::uint32_t kNoModule = 0xFFFF'FFFF;

struct PlanModule {
    std::string build_id; ///< empty: it has none
    std::string path;
};

/// A thread is known by its ancestry: which of its parent's creations it was. The first one has no parent.
struct PlanThread {
    std::uint32_t parent = 0;
    std::uint32_t fork = 0; ///< from 1; 0 for the first thread
};

struct PlanStep {
    std::uint32_t thread = 0;
    Operation operation = Operation::read;
    Role role = Role::order;
    std::uint32_t part = 0;  ///< which of the violation's events it is
    std::uint32_t count = 1; ///< it is this match of operation and place since the thread's previous step
    std::uint32_t place_module = kNoModule;
    std::uint64_t place_offset = 0;
    AddressRule rule = AddressRule::any;
    std::uint32_t address_module = kNoModule;
    std::uint64_t address = 0; ///< within the module, or its lower bits
    std::uint32_t first_need = 0;
    std::uint32_t needs = 0; ///< how many of Plan::needs from there: steps that are done before
};

struct Plan {
    Violation violation = Violation::race;
    std::uint32_t stall_ms = 0; ///< how long all threads may sleep before it is said that nobody will come
    std::uint32_t limit_ms = 0;
    bool stay = false;               ///< threads that stand at the violation are not let go
    std::vector<PlanModule> modules; ///< the first is the program
    std::vector<PlanThread> threads; ///< parents before children
    std::vector<PlanStep> steps;     ///< of each thread in its order
    std::vector<std::uint32_t> needs;
};

[[nodiscard]] Result<Plan> parse_plan(std::string_view text);
[[nodiscard]] Result<Plan> read_plan(const char* path);

} // namespace heddle::replay
