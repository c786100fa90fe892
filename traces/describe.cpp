#include "traces/describe.h"

#include <fmt/format.h>

namespace heddle {

namespace {

/// Small numbers as people count, large ones as addresses look.
std::string value_text(std::uint64_t value) {
    return value < 1'000'000 ? std::to_string(value) : fmt::format("0x{:x}", value);
}

std::string value_part(const Trace& trace, const EventView& event) {
    if (!event.has_value()) return event.kind() == EventKind::wait_post ? ", not notified" : "";
    const std::uint64_t value = trace.value_of(event);
    switch (event.kind()) {
    case EventKind::atomic_rmw:
        return fmt::format(" {} → {}", value_text(trace.value_read_by(event)), value_text(value));
    case EventKind::wait_post: return fmt::format(", ended by notify {}", value);
    case EventKind::notify:
    case EventKind::notify_all: return fmt::format(" (notify {})", value);
    case EventKind::barrier_enter:
    case EventKind::barrier_leave: return fmt::format(", round {}", value);
    case EventKind::sem_init: return fmt::format(" with {}", value);
    default: return " = " + value_text(value);
    }
}

} // namespace

std::string describe(const Trace& trace, const EventView& event) {
    const KindTraits& about = traits(event.kind());
    std::string text(about.label);
    if (event.has_target()) text += " " + trace.display_name(*about.target, event.target());
    if (is_access(event.kind()) && !event.bytes().whole()) {
        text += fmt::format("[{}..{}]", event.bytes().offset, event.bytes().offset + event.bytes().size - 1);
    }
    text += value_part(trace, event);
    if (event.order() != MemoryOrder::none) {
        text += fmt::format(" {}", kMemoryOrderNames[static_cast<std::size_t>(event.order())]);
    }
    return text;
}

std::string stack_text(const Trace& trace, StackId stack) {
    std::string text;
    for (StackId at = stack; at.valid(); at = trace.stacks()[at.value].caller) {
        if (!text.empty()) text += " < ";
        text += trace.place_text(trace.stacks()[at.value].place);
    }
    return text;
}

} // namespace heddle
