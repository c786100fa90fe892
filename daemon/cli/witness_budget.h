// How long to look for witnesses, as users say it.
#pragma once

#include "analysis/witness/budget.h"

namespace heddle::cli {

/// Every limit of the search, as a multiple of the usual.
[[nodiscard]] WitnessBudget witness_budget(double factor);

} // namespace heddle::cli
