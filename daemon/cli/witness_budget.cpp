#include "daemon/cli/witness_budget.h"

#include <algorithm>
#include <type_traits>

namespace heddle::cli {

WitnessBudget witness_budget(double factor) {
    WitnessBudget budget;
    const auto scale = [&](auto& limit) {
        using Limit = std::remove_reference_t<decltype(limit)>;
        limit = std::max(Limit{1}, static_cast<Limit>(static_cast<double>(limit) * factor));
    };
    scale(budget.combinations);
    scale(budget.window);
    scale(budget.steps);
    scale(budget.solver_window);
    scale(budget.solver_effort);
    scale(budget.solver_queries);
    return budget;
}

} // namespace heddle::cli
