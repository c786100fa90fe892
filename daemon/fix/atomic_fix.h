// Making the variable of a race atomic, as a draft.
#pragma once

#include "analysis/property.h"
#include "daemon/fix/draft.h"
#include "daemon/fix/run_places.h"

#include <optional>

namespace heddle::fix {

/// `access`: of the race, where the variable's expression is. Nothing when some use of it would not compile,
/// or not be known to mean the same; nor when a thread of the race frees its memory, which would stay wrong.
[[nodiscard]] std::optional<Draft> atomic_fix(const RunPlaces& places, Sources& sources, const Race& race,
                                              EventId access);

} // namespace heddle::fix
