#include "daemon/report/finding_words.h"

#include <fmt/format.h>

namespace heddle::report {

std::vector<std::size_t> finding_numbers(const Analysis& analysis) {
    std::vector<std::size_t> numbers(analysis.findings.size());
    std::size_t next = 1;
    for (const bool refuted : {false, true}) {
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (std::holds_alternative<Refuted>(analysis.findings[i].verdict) == refuted) numbers[i] = next++;
        }
    }
    return numbers;
}

std::string_view verdict_name(const Verdict& verdict) {
    if (const auto* witness = std::get_if<Witnessed>(&verdict))
        return witness->confirmed ? "confirmed" : "witnessed";
    if (std::holds_alternative<Possible>(verdict)) return "possible";
    return std::holds_alternative<Refuted>(verdict) ? "refuted" : "undecided";
}

std::string headline(const Trace& trace, const Finding& finding) {
    if (finding.kind() == FindingKind::deadlock) {
        return fmt::format("deadlock of {} threads", finding.accesses.size());
    }
    const EventView first = trace[finding.accesses[0].event];
    return fmt::format("{} on '{}'",
                       finding.kind() == FindingKind::race ? "data race" : "atomicity violation",
                       trace.accessed_name(first));
}

std::string operation_words(const Trace& trace, const EventView& event) {
    const KindTraits& about = traits(event.kind());
    if (about.target != ObjectKind::lock) return std::string(about.label);
    return fmt::format("{} '{}'", event.kind() == EventKind::acquire_shared ? "lock shared" : "lock",
                       trace.display_name(ObjectKind::lock, event.lock().value));
}

std::string place_or_event(const Trace& trace, EventId event) {
    const PlaceId id = trace.place_of(trace[event].stack());
    if (!id.valid()) return fmt::format("event {}", event.value);
    const Place& place = trace.places()[id.value];
    if (place.file.value == 0) return trace.place_text(id);
    std::string text(trace.string(place.file));
    for (const std::uint32_t number : {place.line, place.column}) {
        if (number != 0) text.append(":").append(fmt::format_int(number).c_str());
    }
    return text;
}

std::string reason(const Verdict& verdict) {
    if (const auto* possible = std::get_if<Possible>(&verdict)) return possible->unwitnessed;
    if (const auto* refuted = std::get_if<Refuted>(&verdict)) return refuted->why;
    if (const auto* undecided = std::get_if<Undecided>(&verdict)) return undecided->why;
    return {};
}

} // namespace heddle::report
