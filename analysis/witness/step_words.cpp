#include "analysis/witness/step_words.h"

#include "traces/describe.h"

#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace heddle {

namespace {

/// By kind; the name of the target follows.
constexpr std::array<std::string_view, kEventKinds> kVerbs = {
    "read",           "write",         "load",       "store",         "update",
    "fence",          "lock",          "unlock",     "lock shared",   "unlock shared",
    "fork",           "begin",         "end",        "join",          "wait for",
    "woken from",     "notify",        "notify all", "reach barrier", "leave barrier",
    "make semaphore", "post",          "take",       "once: begin",   "once: end",
    "once: done",     "alloc",         "free",       "begin block",   "end block",
    "happens before", "happens after",
};

} // namespace

std::string step_words(const Trace& trace, const EventView& event) {
    std::string words(kVerbs[static_cast<std::size_t>(event.kind())]);
    if (event.kind() == EventKind::wait_post && !event.has_value()) words = "woken by itself from";
    const std::optional<ObjectKind> target = traits(event.kind()).target;
    if (target == ObjectKind::thread) {
        words += " " + short_name(trace, event.other_thread());
    } else if (is_access(event.kind())) {
        words += " " + trace.accessed_name(event);
    } else if (event.has_target()) {
        words += " " + trace.display_name(*target, event.target());
    }
    return words;
}

std::string value_words(const Trace& trace, const EventView& event) {
    if (!is_access(event.kind()) || !event.has_value()) return {};
    const std::string value = value_text(trace.value_of(event));
    if (event.kind() != EventKind::atomic_rmw) return "= " + value;
    return fmt::format("{} → {}", value_text(trace.value_read_by(event)), value);
}

} // namespace heddle
