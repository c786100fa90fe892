// What a person wants to know at a glance of the folders an editor has open: how much was found, and what is
// being done. The same words in every status line.
#pragma once

#include "analysis/candidate.h"

#include <array>
#include <cstddef>
#include <set>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace heddle::service {

class Workspace;

struct Summary {
    std::size_t traces = 0;
    std::array<std::size_t, kFindingKinds> findings{}; ///< that are shown, by kind
    std::size_t confirmed = 0;                         ///< of them, by a replay
    std::size_t hidden = 0;                            ///< suppressed, ignored, or not sure enough
    std::size_t analysing = 0;                         ///< traces
    unsigned percent = 0;                              ///< of that
    std::size_t growing = 0;                           ///< traces of runs whose end is not known yet
    bool recording = false;

    Summary& operator+=(const Summary& other);
};

/// `ignored`: keys of bugs that a comment hides in the texts of the editor that asks.
[[nodiscard]] Summary summary_of(Workspace& workspace, const std::set<std::string>& ignored = {});

/// "recording", "analysing 43 %", "2 races, 1 deadlock", "no findings", "no traces"
[[nodiscard]] std::string words(const Summary& summary);

/// `text` is words(); `state` is `recording`, `analysing` or `idle`; and the numbers (docs/daemon.md).
[[nodiscard]] nlohmann::json to_status(const Summary& summary);

} // namespace heddle::service
