// The search for a witness of one finding, over the combinations of events behind it.
#pragma once

#include "analysis/witness/combinations.h"
#include "analysis/witness/property_search.h"
#include "analysis/witness/search.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle {

class FindingSearch {
  public:
    /// `groups`: the accesses of the finding's variable; of a deadlock none.
    FindingSearch(const WitnessContext& context, const WitnessQuestion& question, const AccessGroups* groups);

    /// With all stages but the solver.
    [[nodiscard]] WitnessAnswer without_solver();
    /// After that gave no answer. Tells how many queries it took.
    [[nodiscard]] WitnessAnswer with_solver(std::size_t& queries);

  private:
    /// Takes what a stage says of a combination. True: the finding is settled.
    bool take(std::size_t combination, PropertyAnswer answer);
    [[nodiscard]] bool all_refuted() const;

    Property possible_;
    bool all_ = false; ///< the combinations are all there are
    std::vector<PropertySearch> searches_;
    std::vector<std::optional<PropertyAnswer>> refuted_; ///< by combination
    WitnessAnswer answer_;
};

} // namespace heddle
