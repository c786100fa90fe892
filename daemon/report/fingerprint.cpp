#include "daemon/report/fingerprint.h"

#include "daemon/report/finding_words.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <string_view>

#include <fmt/format.h>

namespace heddle::report {

namespace {

/// FNV-1a: the same on every machine and in every version.
std::uint64_t hash(std::string_view text) {
    std::uint64_t result = 0xcbf29ce484222325;
    for (const char c : text) result = (result ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return result;
}

/// Memory without a name is named by where it was allocated: "heap block allocated in main (bank.cpp:53)".
std::string without_lines(std::string_view name) {
    std::string result;
    for (std::size_t at = 0; at < name.size(); ++at) {
        result += name[at];
        if (name[at] != ':') continue;
        while (at + 1 < name.size() && std::isdigit(static_cast<unsigned char>(name[at + 1])) != 0) ++at;
    }
    return result;
}

std::string access_words(const Trace& trace, const FindingAccess& access) {
    const EventView event = trace[access.event];
    std::string result = without_lines(operation_words(trace, event));
    if (const PlaceId id = trace.place_for_people(event.stack()); id.valid()) {
        const Place& place = trace.places()[id.value];
        result += fmt::format("|{}|{}", trace.string(place.function), trace.string(place.file));
    }
    return result;
}

std::string identity(const Trace& trace, const Finding& finding) {
    std::vector<std::string> accesses;
    for (const FindingAccess& access : finding.accesses) accesses.push_back(access_words(trace, access));
    // Which of two racing accesses came first is an accident of the run; so is where a cycle of locks begins.
    if (finding.kind() != FindingKind::atomicity) std::ranges::sort(accesses);
    return fmt::format("{}|{}|{}", kFindingKindNames[static_cast<std::size_t>(finding.kind())],
                       without_lines(title(trace, finding)), fmt::join(accesses, "|"));
}

} // namespace

std::vector<std::string> fingerprints(const Trace& trace, const Analysis& analysis) {
    std::vector<std::string> result;
    std::map<std::string, int> seen;
    for (const Finding& finding : analysis.findings) {
        std::string name = identity(trace, finding);
        const int before = seen[name]++;
        if (before > 0) name += fmt::format("|{}", before);
        result.push_back(fmt::format("{:016x}", hash(name)));
    }
    return result;
}

} // namespace heddle::report
