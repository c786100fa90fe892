// One symboliser for all analyses of the daemon, whichever thread they run in: binaries are read once for all
// traces that name them. Forgets everything now and then, so that weeks of rebuilding do not pile up.
#pragma once

#include "daemon/symbols/symboliser.h"
#include "traces/trace.h"

#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace heddle::service {

class SharedSymbols {
  public:
    explicit SharedSymbols(std::vector<std::string> debug_folders);

    struct Told {
        Trace trace;
        std::vector<std::string> notes; ///< on binaries of this trace that could be known better
    };
    [[nodiscard]] Told tell(const Trace& trace);

    /// Also look here for binaries and debug information.
    void look_in(const std::vector<std::string>& debug_folders);
    /// What was missing may be there now.
    void forget();

  private:
    [[nodiscard]] symbols::Symboliser& symboliser();
    void drop();

    std::mutex mutex_;
    symbols::Symboliser::Options options_;
    std::optional<symbols::Symboliser> symboliser_;
    std::size_t modules_ = 0;
};

} // namespace heddle::service
