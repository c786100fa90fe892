// The events of a thread as operations that the recorder meets when the thread does the same again.
#pragma once

#include "traces/recorder/replay_operations.h"
#include "traces/trace.h"

#include <optional>

namespace heddle::replay {

struct Meaning {
    Operation operation = Operation::read;
    EventId event;      ///< the one that stands for the operation: of a wait, its beginning or its end
    bool again = false; ///< another event stood for it already
};

/// Reads the events of one thread in its order. Nothing: the recorder meets no operation there, or none that
/// another thread can have a part in.
class OperationReader {
  public:
    [[nodiscard]] std::optional<Meaning> next(const Trace& trace, const EventView& event);

  private:
    enum class Waiting : std::uint8_t { no, begun, released, woken };

    [[nodiscard]] std::optional<Meaning> waiting(const EventView& event);
    [[nodiscard]] bool is_polling(const Trace& trace, const EventView& event);

    Waiting waiting_ = Waiting::no;
    EventId wait_begin_;
    EventId wait_end_;
    EventId last_load_; ///< with no other synchronisation since
};

} // namespace heddle::replay
