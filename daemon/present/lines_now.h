// The lines that texts about a finding name, "bank.cpp:67", as they are in the editor now. Texts are made
// when a run is analysed, and are told for as long as nobody runs the test again. All that is shown to a
// person goes through here.
//
// A line stays as it was recorded where what is there now is not what ran, and in all that is shown as of the
// last run. O(text), and what Drift takes for each place.
#pragma once

#include "daemon/present/diagnostics.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::present {

class LinesNow {
  public:
    /// For what is told at one of the finding's accesses.
    LinesNow(const View& view, const service::Sighting& sighting, std::size_t access);

    /// Of a schedule, the rows that begin with the number of their step may leave out the file: ":68".
    [[nodiscard]] std::string in(std::string_view text) const;

  private:
    void add_row(std::string_view row, std::string& result) const;
    /// The place of the step whose row it is; null: it is none.
    [[nodiscard]] const report::SourcePlace* step_of(std::string_view row) const;
    /// Of the file called by that name where it stands in a text; null when there is none, or several.
    [[nodiscard]] const report::SourcePlace* place_in(std::string_view name) const;
    [[nodiscard]] std::uint32_t now(const report::SourcePlace& file, std::uint32_t line) const;

    const View& view_;
    const service::Sighting& sighting_;
    std::vector<const report::SourcePlace*> places_; ///< of the finding; none: all stays as recorded
};

} // namespace heddle::present
