#include "traces/recorder/replay_violation.h"

#include <algorithm>
#include <vector>

namespace heddle::replay {

namespace {

/// The steps of a plan that make its violation, by role and part.
class ViolationSteps {
  public:
    explicit ViolationSteps(const Plan& plan) : plan_(plan) {}

    /// Whether each role is there with the parts that the violation has, once, and no other.
    const char* collect() {
        std::size_t expected = 0;
        for (std::uint32_t i = 0; i < plan_.steps.size(); ++i) {
            const PlanStep& step = plan_.steps[i];
            if (!is_final(step.role)) continue;
            std::uint32_t& at = steps_[static_cast<std::size_t>(step.role)][step.part];
            if (at != kNone) return "a part of its violation is there twice";
            at = i;
            ++expected;
            parts_ = std::max(parts_, step.part + 1);
        }
        for (std::uint32_t part = 0; part < parts_; ++part) {
            for (const Role role : roles_of(part)) {
                if (number(role, part) == kNone) return "a part of its violation is missing";
                --expected;
            }
        }
        return expected == 0 && parts_ >= 2 ? nullptr : "its steps are not those of its violation";
    }
    const char* problem() const {
        switch (plan_.violation) {
        case Violation::race: return race();
        case Violation::atomicity: return atomicity();
        case Violation::deadlock: return deadlock();
        }
        return nullptr;
    }

  private:
    static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

    [[nodiscard]] std::vector<Role> roles_of(std::uint32_t part) const {
        if (plan_.violation == Violation::race) return {Role::stand};
        if (plan_.violation == Violation::deadlock) return {Role::stand, Role::holds};
        return {part == 0 ? Role::first : part == 1 ? Role::remote : Role::second};
    }
    [[nodiscard]] std::uint32_t number(Role role, std::uint32_t part) const {
        return steps_[static_cast<std::size_t>(role)][part];
    }
    [[nodiscard]] const PlanStep& step(Role role, std::uint32_t part) const {
        return plan_.steps[number(role, part)];
    }
    [[nodiscard]] bool needs(const PlanStep& step, std::uint32_t wanted) const {
        const auto begin = plan_.needs.begin() + step.first_need;
        return std::find(begin, begin + step.needs, wanted) != begin + step.needs;
    }

    [[nodiscard]] const char* race() const {
        const PlanStep& one = step(Role::stand, 0);
        const PlanStep& other = step(Role::stand, 1);
        if (parts_ != 2 || one.thread == other.thread) return "a race is of two threads";
        if (!is_access(one.operation) || !is_access(other.operation) ||
            (one.operation == other.operation && one.operation != Operation::write))
            return "its two accesses are no race";
        return nullptr;
    }
    [[nodiscard]] const char* atomicity() const {
        if (parts_ != 3) return "an atomicity violation is of three accesses";
        const PlanStep& first = step(Role::first, 0);
        const PlanStep& remote = step(Role::remote, 1);
        const PlanStep& second = step(Role::second, 2);
        if (!is_access(first.operation) || !is_access(remote.operation) || !is_access(second.operation))
            return "its three accesses are none";
        if (first.thread != second.thread || first.thread == remote.thread)
            return "of its three accesses the middle one is not another thread's";
        if (number(Role::first, 0) > number(Role::second, 2) || !needs(remote, number(Role::first, 0)) ||
            !needs(second, number(Role::remote, 1)))
            return "its three accesses are not in order";
        return nullptr;
    }
    [[nodiscard]] const char* deadlock() const {
        for (std::uint32_t i = 0; i < parts_; ++i) {
            const PlanStep& holds = step(Role::holds, i);
            const PlanStep& stands = step(Role::stand, i);
            if (!takes_lock(holds.operation) || !takes_lock(stands.operation))
                return "what it holds or asks for is no lock";
            if (holds.thread != stands.thread || number(Role::holds, i) > number(Role::stand, i))
                return "who asks for a lock does not hold one";
            for (std::uint32_t k = 0; k < i; ++k) {
                if (step(Role::stand, k).thread == stands.thread) return "a thread is in its cycle twice";
            }
        }
        return nullptr;
    }

    const Plan& plan_;
    std::uint32_t parts_ = 0;
    std::vector<std::vector<std::uint32_t>> steps_{kRoleNames.size(),
                                                   std::vector<std::uint32_t>(kMaxParts, kNone)};
};

} // namespace

const char* problem_of_violation(const Plan& plan) {
    ViolationSteps steps(plan);
    const char* problem = steps.collect();
    return problem != nullptr ? problem : steps.problem();
}

} // namespace heddle::replay
