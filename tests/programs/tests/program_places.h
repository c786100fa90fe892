// Where in the source of a sample the events of its trace took place, as Heddle resolves it.
#pragma once

#include "daemon/symbols/symboliser.h"
#include "reported_findings.h"
#include "traces/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::test {

class ProgramPlaces {
  public:
    /// `source` is a file name without folders.
    ProgramPlaces(const Trace& trace, std::string source);

    /// The frames in the program's own source file, innermost first, inlined functions included.
    [[nodiscard]] std::vector<SourceFrame> frames(StackId stack) const;
    [[nodiscard]] std::string lock_name(std::uint32_t lock) const;

  private:
    symbols::Symboliser symboliser_;
    const Trace trace_; ///< with places and names of the source
    std::string source_;
};

} // namespace heddle::test
