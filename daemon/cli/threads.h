// Threads for work that the analyses divide.
#pragma once

#include "analysis/workers.h"

#include <cstddef>

namespace heddle::cli {

/// As many as the machine has processors if 0.
[[nodiscard]] Workers threads(std::size_t count);

} // namespace heddle::cli
