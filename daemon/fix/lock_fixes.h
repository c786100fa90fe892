// Fixes that hold a lock: around an access that lacks it, around a call that leads there, or over both
// accesses that are meant to be one. Only drafts: nothing is tried here.
#pragma once

#include "analysis/property.h"
#include "daemon/fix/draft.h"
#include "daemon/fix/run_places.h"

#include <cstddef>
#include <vector>

namespace heddle::fix {

/// For an access of a race or an atomicity violation, the best first. The drafts that hold a lock around a
/// call begin with the innermost one that could be written.
[[nodiscard]] std::vector<Draft> lock_fixes(const RunPlaces& places, Sources& sources,
                                            const Property& finding, std::size_t access);

} // namespace heddle::fix
