#include "analysis/witness/solver_explanation.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace heddle::solver {

namespace {

/// "publish@queue.cpp:8 (event 5, T1)"
std::string where(const Trace& trace, EventId id) {
    const EventView event = trace[id];
    const std::string place = trace.place_text(trace.place_for_people(event.stack()));
    const std::string thread = trace.display_name(ObjectKind::thread, event.thread().value);
    if (place.empty()) return fmt::format("event {} ({})", id.value, thread);
    return fmt::format("{} (event {}, {})", place, id.value, thread);
}

/// The part of the read that is hardest to satisfy.
const ReadPart& scarcest(const ReadRule& rule) {
    return *std::ranges::min_element(rule.parts, {}, [](const ReadPart& part) {
        return part.good.size() + (part.base_possible && part.base_fits ? 1 : 0);
    });
}

std::string who(const Trace& trace, const std::vector<EventId>& writes) {
    const std::string first = where(trace, writes.front());
    switch (writes.size()) {
    case 1: return first + " writes";
    case 2: return first + " and " + where(trace, writes.back()) + " write";
    default: return fmt::format("{} and {} others write", first, writes.size() - 1);
    }
}

/// Where what the read needs comes from, as the end of a sentence.
std::string sources(const Trace& trace, const ReadPart& part) {
    const bool at_base = part.base_possible && part.base_fits;
    if (part.good.empty() && !at_base) return "which no write before it can give";
    if (!at_base) return "which only " + who(trace, part.good);
    const std::string until = part.bad.empty() ? std::string("at first")
                                               : "before " + where(trace, part.bad.front()) + " writes it";
    if (part.good.empty()) return "which it is only " + until;
    return "which it is " + until + " or once " + who(trace, part.good) + " it";
}

} // namespace

std::string explain(SolverWindow& window, std::span<const EventId> reads) {
    if (reads.empty()) return "no order of locks and other synchronisation leads there";
    const Trace& trace = window.trace();
    const EventId telling = *std::ranges::min_element(
        reads, {}, [&](EventId read) { return scarcest(window.read_rule(read)).good.size(); });
    const EventView event = trace[telling];
    const std::string variable = trace.accessed_name(event);
    const std::string value = event.has_value() ? fmt::format("to be {}", trace.value_read_by(event))
                                                : std::string("to be what it was");
    std::string text = fmt::format("needs '{}' {} at {}, {}", variable, value, where(trace, telling),
                                   sources(trace, scarcest(window.read_rule(telling))));
    if (reads.size() > 1)
        text += fmt::format(", while {} other read{} {} what {} saw", reads.size() - 1,
                            reads.size() == 2 ? "" : "s", reads.size() == 2 ? "sees" : "see",
                            reads.size() == 2 ? "it" : "they");
    return text;
}

} // namespace heddle::solver
