#include "daemon/replay/plan.h"

#include <iterator>

#include <fmt/format.h>

namespace heddle::replay {

namespace {

std::string located(std::uint32_t module, std::uint64_t offset) {
    return fmt::format("{}+{:x}", module, offset);
}

std::string address_text(const PlanStep& step) {
    switch (step.rule) {
    case AddressRule::exact: return located(step.address_module, step.address);
    case AddressRule::low: return fmt::format("~{:x}", step.address);
    case AddressRule::any: break;
    }
    return "-";
}

} // namespace

std::string plan_text(const Plan& plan) {
    std::string text =
        fmt::format("{}\nviolation {}\nlimits {} {}\n", kPlanHeader,
                    kViolationNames[static_cast<std::size_t>(plan.violation)], plan.stall_ms, plan.limit_ms);
    auto out = std::back_inserter(text);
    if (plan.stay) text += "stay\n";
    for (const PlanModule& module : plan.modules)
        fmt::format_to(out, "module {} {}\n", module.build_id.empty() ? "-" : module.build_id, module.path);
    for (const PlanThread& thread : plan.threads)
        fmt::format_to(out, "thread {} {}\n", thread.parent, thread.fork);
    for (const PlanStep& step : plan.steps) {
        fmt::format_to(out, "step {} {} {} {} {} {} {}", step.thread,
                       kOperationNames[static_cast<std::size_t>(step.operation)],
                       kRoleNames[static_cast<std::size_t>(step.role)], step.part, step.count,
                       located(step.place_module, step.place_offset), address_text(step));
        for (std::uint32_t i = 0; i < step.needs; ++i)
            fmt::format_to(out, " {}", plan.needs[step.first_need + i]);
        text += '\n';
    }
    fmt::format_to(out, "end {}\n", plan.steps.size());
    return text;
}

} // namespace heddle::replay
