// Writes the events of a simulation. An object gets its row in the trace with its first event, so that
// numbers follow the order of events.
#pragma once

#include "traces/generator/random.h"
#include "traces/generator/source_code.h"
#include "traces/trace_builder.h"

#include <array>
#include <vector>

namespace heddle::generator {

class EventWriter {
  public:
    EventWriter(std::uint32_t places, std::uint32_t stack_depth) : source_(places, stack_depth) {}

    [[nodiscard]] std::size_t size() const { return builder_.size(); }
    [[nodiscard]] Trace take(Metadata metadata);

    /// The row of the nth object of a kind, named by the kind's letter and its number.
    [[nodiscard]] std::uint32_t object(ObjectKind kind, std::uint32_t number);
    [[nodiscard]] std::uint32_t variable(std::string_view name, BlockId block);

    /// Adds the place and appends. Ids of the event are rows.
    void add(Event event, Random& random) {
        event.stack = source_.stack(builder_, event, random);
        builder_.add(event);
    }
    /// An event of a kind whose target, if any, is the nth object of its kind.
    void add(std::uint32_t thread, EventKind kind, std::uint32_t number, Random& random) {
        add({.kind = kind, .thread = thread_row(thread), .target = target(kind, number)}, random);
    }
    void add(std::uint32_t thread, EventKind kind, std::uint32_t number, std::uint64_t value,
             Random& random) {
        add({.kind = kind, .thread = thread_row(thread), .target = target(kind, number), .value = value},
            random);
    }
    [[nodiscard]] ThreadId thread_row(std::uint32_t number) {
        return ThreadId{object(ObjectKind::thread, number)};
    }

  private:
    [[nodiscard]] std::uint32_t target(EventKind kind, std::uint32_t number) {
        const auto& target_kind = traits(kind).target;
        return target_kind && number != kNoTarget ? object(*target_kind, number) : kNoTarget;
    }

    TraceBuilder builder_;
    SourceCode source_;
    std::array<std::vector<std::uint32_t>, kObjectKinds> rows_;
};

} // namespace heddle::generator
