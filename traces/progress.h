// How long work tells how far it is, and is told to stop.
#pragma once

#include <cstdint>
#include <functional>

namespace heddle {

/// Called now and then with what is done of what there is (the same unit; 0 of 0 when not known).
/// Returning false asks the work to stop; what it had by then is its result. May be empty.
using Progress = std::function<bool(std::uint64_t done, std::uint64_t total)>;

/// For loops over events: asks only now and then, since asking costs more than most events do.
[[nodiscard]] inline bool keep_going(const Progress& progress, std::uint64_t done, std::uint64_t total) {
    constexpr std::uint64_t kEvery = std::uint64_t{1} << 16U;
    return done % kEvery != 0 || !progress || progress(done, total);
}

} // namespace heddle
