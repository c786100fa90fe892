// The search for a witness of one finding, over the combinations of events behind it.
#pragma once

#include "analysis/witness/combinations.h"
#include "analysis/witness/property_search.h"
#include "analysis/witness/search.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace heddle {

class FindingSearch {
  public:
    FindingSearch(const WitnessContext& context, const WitnessQuestion& question,
                  const Occurrences& occurrences);

    /// With all stages but the solver.
    [[nodiscard]] WitnessAnswer without_solver();
    /// After that gave no answer. Tells how many queries it took.
    [[nodiscard]] WitnessAnswer with_solver(std::size_t& queries);

  private:
    /// Goes on through the combinations until one has a witness or enough stay open. True: it has one.
    bool try_combinations();
    /// What can be said of a combination without trying all orders of its events.
    [[nodiscard]] PropertyAnswer try_cheaply(PropertySearch& search) const;
    /// Tries all orders for those that stayed open, of the first few if that does not settle all. True: one
    /// has a witness.
    bool try_orders();
    /// Takes what a stage says of a combination. True: it has a witness.
    bool take(const Property& property, PropertyAnswer answer);
    /// Takes what a dear stage says of one that stayed open, which it does no more if it is refuted.
    bool take_open(std::size_t number, PropertyAnswer answer);
    [[nodiscard]] bool looked_at_all() const {
        return combinations_.all && next_ == combinations_.properties.size();
    }
    /// Of all combinations none is left: there is no witness.
    [[nodiscard]] bool all_refuted() const { return looked_at_all() && open_.empty(); }
    [[nodiscard]] WitnessAnswer refutation() const;
    /// Of those that stayed open, how many go through dear stages.
    [[nodiscard]] std::size_t dear() const;

    const WitnessContext& context_;
    Property possible_;
    bool is_feasible_; ///< it is, as far as synchronisation goes
    Combinations combinations_;
    std::size_t next_ = 0;                              ///< combination to be looked at
    std::vector<std::unique_ptr<PropertySearch>> open_; ///< those that no stage has settled yet
    std::size_t ordered_ = 0;                           ///< of these, all orders were tried of the first ones
    std::optional<PropertyAnswer> refuted_;             ///< why one has no witness, because of data if any
    WitnessAnswer answer_;
};

} // namespace heddle
