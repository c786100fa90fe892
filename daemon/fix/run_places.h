// Where the events of a run took place in the sources, and which events took place in a piece of source.
#pragma once

#include "analysis/source/place_map.h"
#include "analysis/what_if/change.h"
#include "analysis/what_if/executions.h"
#include "daemon/fix/sources.h"
#include "traces/trace.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace heddle::fix {

/// An expression of a source, or the part of it that a call stack tells.
struct Located {
    const Source* source = nullptr;
    source::ByteRange range;
};

class RunPlaces {
  public:
    /// Both must outlive it.
    RunPlaces(const Trace& trace, Sources& sources) : trace_(trace), sources_(sources) {}

    [[nodiscard]] const Trace& trace() const { return trace_; }

    /// The expression that is accessed or locked, in the innermost call of the workspace's own code.
    [[nodiscard]] std::optional<Located> accessed(EventId access) const;
    [[nodiscard]] std::optional<Located> locked(EventId acquire) const;
    /// Where the calls that led to an event stand in the workspace's own code, the innermost first.
    [[nodiscard]] std::vector<Located> calls(EventId event) const;

    /// Whether an event took place in an object's destructor, or in what that called.
    [[nodiscard]] bool is_in_destructor(EventId event) const;

    /// Every run through a piece of a source.
    [[nodiscard]] Executions executions_in(const Source& source, source::ByteRange range) const;
    /// Whether an event took place in a piece of the source itself, not in what that calls.
    [[nodiscard]] bool is_in(EventId event, const Source& source, source::ByteRange range) const;

    /// The accesses of the spans, which are runs through the piece, that may come again before it is over:
    /// a loop of the piece, or of a function that it calls, is around them.
    [[nodiscard]] std::vector<EventId> repeated(const std::vector<HeldSpan>& spans, const Source& source,
                                                source::ByteRange piece) const;

  private:
    [[nodiscard]] bool may_come_again(StackId stack, const Source& source, source::ByteRange piece) const;
    [[nodiscard]] std::optional<Located> expression(EventId event, source::Operation operation) const;
    [[nodiscard]] const Source* source_of(const Place& place) const;
    [[nodiscard]] const source::PlaceMap& map_of(const Source& source) const;
    [[nodiscard]] bool is_in(const Place& place, const Source& source, source::ByteRange range) const;

    const Trace& trace_;
    Sources& sources_;
    mutable std::map<const Source*, std::unique_ptr<source::PlaceMap>> maps_;
    mutable std::map<StringId, const Source*> files_;
};

} // namespace heddle::fix
