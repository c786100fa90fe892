#include "daemon/report/finding_words.h"

#include "daemon/report/number_words.h"
#include "traces/describe.h"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::report {

namespace {

/// Empty: it is a deadlock.
std::string variable_of(const Trace& trace, const Finding& finding) {
    if (finding.kind() == FindingKind::deadlock) return {};
    return trace.accessed_name(trace[finding.accesses[0].event]);
}

std::string words(const Finding& finding, std::string_view variable, std::uint32_t more) {
    if (finding.kind() == FindingKind::deadlock)
        return fmt::format("deadlock of {} threads", finding.accesses.size());
    return fmt::format("{} on '{}'{}{}",
                       finding.kind() == FindingKind::race ? "data race" : "atomicity violation", variable,
                       and_more(more), finding.intent() == Intent::inferred ? " (inferred)" : "");
}

} // namespace

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

std::string declared_name(std::string_view name) {
    const std::size_t plus = name.rfind('+');
    const bool offset = plus != std::string_view::npos && plus + 1 < name.size() &&
                        name.find_first_not_of("0123456789", plus + 1) == std::string_view::npos;
    return without_indices(offset ? name.substr(0, plus) : name);
}

std::string without_indices(std::string_view name) {
    std::string result;
    bool index = false;
    for (const char letter : name) {
        if (letter == ']') index = false;
        if (!index) result += letter;
        if (letter == '[') index = true;
    }
    return result;
}

std::string title(const Trace& trace, const Finding& finding) {
    return words(finding, without_indices(variable_of(trace, finding)), 0);
}

std::string headline(const Trace& trace, const Finding& finding) {
    return words(finding, variable_of(trace, finding), finding.variables - 1);
}

std::string intent_words(const Trace& trace, const Finding& finding) {
    if (finding.intent() == Intent::marked) return "the source is marked as atomic";
    if (!finding.inferred) return {};
    // Both hold it, and still something can come between: it was given back meanwhile.
    const std::vector<LockUse>& first = finding.accesses.front().locks;
    for (const LockUse& use : finding.accesses.back().locks) {
        if (std::ranges::find(first, use.lock, &LockUse::lock) == first.end()) continue;
        return fmt::format("the source acts on an earlier look, and gives '{}' back in between",
                           trace.display_name(ObjectKind::lock, use.lock.value));
    }
    switch (*finding.inferred) {
    case Inference::update: return "the source makes the new value from the old one";
    case Inference::check_then_act: return "the source checks, then acts on it";
    case Inference::read_then_write: return "the source writes what depends on an earlier look";
    }
    return {};
}

std::string operation_words(const Trace& trace, const EventView& event) {
    const KindTraits& about = traits(event.kind());
    if (about.target != ObjectKind::lock) return std::string(about.label);
    return fmt::format("{} '{}'", event.kind() == EventKind::acquire_shared ? "lock shared" : "lock",
                       trace.display_name(ObjectKind::lock, event.lock().value));
}

std::string place_or_event(const Trace& trace, EventId event) {
    const PlaceId id = trace.place_for_people(trace[event].stack());
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
