// When long work should stop: on Ctrl-C, when its time is over, or when it has taken too much memory. The
// first Ctrl-C asks the work to stop and tell what it knows; a second one ends the program as always.
#pragma once

#include "traces/progress.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace heddle::cli {

/// Memory of this program; 0 when the system does not tell.
[[nodiscard]] std::uint64_t resident_mebibytes();
/// What programs can still take, of the machine or of the container; nothing when the system does not tell.
[[nodiscard]] std::optional<std::uint64_t> available_mebibytes();
/// The part of a container (a control group, version 2) in that; nothing when it has no limit.
[[nodiscard]] std::optional<std::uint64_t> container_mebibytes(const std::string& folder);

class Budget {
  public:
    struct Limits {
        std::optional<double> seconds;
        /// Resident memory of the program. Nothing: three fifths of what is available at the beginning.
        std::optional<std::uint64_t> mebibytes;
    };

    explicit Budget(Limits limits);
    ~Budget();
    Budget(const Budget&) = delete;
    Budget& operator=(const Budget&) = delete;
    Budget(Budget&&) = delete;
    Budget& operator=(Budget&&) = delete;

    /// Reports to `inner` as well.
    [[nodiscard]] Progress progress(Progress inner);
    /// The same for reading a trace, which may take half of the memory: to know something of a part is better
    /// than to have read everything and be out of memory.
    [[nodiscard]] Progress reading(Progress inner);
    /// Why not everything was read, in words; empty if it was. Until reading() is asked for again.
    [[nodiscard]] const std::string& left_out() const { return left_out_; }
    /// Why it asked to stop, in words; empty if it did not.
    [[nodiscard]] const std::string& stopped() const { return stopped_; }

  private:
    [[nodiscard]] bool exhausted();

    Limits limits_;
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    std::string stopped_;
    std::string left_out_;
};

} // namespace heddle::cli
