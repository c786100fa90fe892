// Traces written down in tests, one event a line, without a reader in between:
//
//   TraceScript().add("T1", acquire, "mu", {.at = "a"}).add("T2", release, "mu").trace()
#pragma once

#include "traces/trace_builder.h"

#include <optional>
#include <string_view>

namespace heddle::testing_support {

struct Details {
    std::string_view at; ///< label of the place
    std::optional<std::uint64_t> value;
    std::uint64_t value_read = 0;
    ByteRange bytes;
    MemoryOrder order = MemoryOrder::none;
};

class TraceScript {
  public:
    TraceScript& add(std::string_view thread, EventKind kind, std::string_view target = {},
                     const Details& details = {}) {
        Event event{.kind = kind,
                    .order = details.order,
                    .bytes = details.bytes,
                    .value = details.value,
                    .value_read = details.value_read};
        event.thread = ThreadId{builder_.object_named(ObjectKind::thread, thread)};
        if (!target.empty()) event.target = builder_.object_named(*traits(kind).target, target);
        if (!details.at.empty()) {
            const PlaceId place = builder_.place({.label = builder_.string(details.at)});
            event.stack = builder_.stack({.place = place});
        }
        builder_.add(event);
        return *this;
    }
    [[nodiscard]] Trace trace() const { return builder_.snapshot(); }

  private:
    TraceBuilder builder_;
};

} // namespace heddle::testing_support
