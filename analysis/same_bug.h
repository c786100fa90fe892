// Which candidates are one bug to a person although the memory differs: the elements of an array, the members
// of a struct that is copied as a whole, the nodes of a list. They are of one kind, at the same places, and
// their memory is of one origin: the same global or local variable, or heap blocks that were allocated at one
// place. Where nothing is known of the memory but its address, places alone decide; variables that a trace
// calls by name and has no addresses of are each a bug of their own.
//
// For a run that grows. O(new events) once somebody asks, then O(log) for a candidate.
#pragma once

#include "analysis/analyze.h"
#include "traces/trace.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace heddle {

class SameBug {
  public:
    /// Bugs of this trace are asked for from now on. It must extend that of the call before.
    void extend(const Trace& trace);

    /// The number of the candidate's bug.
    [[nodiscard]] std::uint32_t of(const CandidateKey& key);

  private:
    enum class Memory : std::uint8_t { itself, named, heap, frame, unknown };
    /// What it is, where it was allocated, and the name of the variable.
    using Origin = std::tuple<Memory, std::uint32_t, std::string>;

    [[nodiscard]] Origin origin_of(VarId variable) const;

    Trace trace_;
    std::size_t taken_ = 0;          ///< events
    std::vector<StackId> allocated_; ///< by block: where
    std::map<Origin, std::uint32_t> origins_;
    std::map<CandidateKey, std::uint32_t>
        bugs_; ///< by key, with the origin's number in place of the variable
};

/// Lets the surest finding of each bug stand for the others, and count them. What cannot happen is no bug,
/// and is left alone.
void keep_one_of_each(SameBug& same_bug, std::vector<Finding>& findings);

} // namespace heddle
