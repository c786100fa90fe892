#include "traces/describe.h"

#include "traces/tried.h"

#include <set>
#include <string_view>

#include <fmt/format.h>

namespace heddle {

std::string value_text(std::uint64_t value) {
    return value < 1'000'000 ? std::to_string(value) : fmt::format("0x{:x}", value);
}

namespace {

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
    case EventKind::acquire:
    case EventKind::acquire_shared: return was_tried(event) ? ", tried" : "";
    default: return " = " + value_text(value);
    }
}

bool is_number_of_thread(std::string_view name) {
    return name.size() > 1 && name[0] == 'T' && name.find_first_not_of("0123456789", 1) == name.npos;
}

} // namespace

std::string describe(const Trace& trace, const EventView& event) {
    const KindTraits& about = traits(event.kind());
    std::string text(about.label);
    if (is_access(event.kind())) {
        const ByteRange bytes = event.bytes();
        text += " " + trace.accessed_name(event);
        if (!trace.tells_bytes(event))
            text += fmt::format("[{}..{}]", bytes.offset, bytes.offset + bytes.size - 1);
    } else if (event.has_target()) {
        text += " " + trace.display_name(*about.target, event.target());
    }
    text += value_part(trace, event);
    if (event.order() != MemoryOrder::none) {
        text += fmt::format(" {}", kMemoryOrderNames[static_cast<std::size_t>(event.order())]);
    }
    return text;
}

std::string short_name(const Trace& trace, ThreadId thread) {
    const auto name_of = [&](std::uint32_t id) { return trace.name(ObjectKind::thread, id); };
    if (is_number_of_thread(name_of(thread.value))) return std::string(name_of(thread.value));
    std::set<std::string_view> taken;
    std::uint32_t earlier = 0; // threads before this one that need a number, too
    for (std::uint32_t id = 0; id < trace.thread_count(); ++id) {
        if (is_number_of_thread(name_of(id))) {
            taken.insert(name_of(id));
        } else if (id < thread.value) {
            ++earlier;
        }
    }
    for (std::uint32_t number = 0;; ++number) {
        std::string text = fmt::format("T{}", number);
        if (!taken.contains(text) && earlier-- == 0) return text;
    }
}

std::string full_name(const Trace& trace, ThreadId thread) {
    const std::string_view name = trace.name(ObjectKind::thread, thread.value);
    const std::string number = short_name(trace, thread);
    return name.empty() || name == number ? number : fmt::format("{} {}", number, name);
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
