// What there is to tell of one recorded run: its findings in words and source places, free of the trace. It
// is small, so it is kept, shared and stored long after the events are gone; it never changes once it is
// made.
#pragma once

#include "analysis/candidate.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

struct SourcePlace {
    std::string file; ///< as the trace has it: absolute, or relative to the workspace; empty when not known
    std::uint32_t line = 0;   ///< from 1; 0 when not known
    std::uint32_t column = 0; ///< in bytes, from 1; 0 when not known
    std::string function;

    bool operator==(const SourcePlace&) const = default;
};

/// How sure a finding is (docs/algorithms.md). Refuted and undecided ones are not reported.
enum class Certainty : std::uint8_t { possible, witnessed, confirmed };
inline constexpr std::array<std::string_view, 3> kCertaintyNames = {"possible", "witnessed", "confirmed"};

struct ReportedAccess {
    std::string operation; ///< "write", "lock 'b'"
    std::string thread;    ///< "T2 teller"
    std::vector<std::string> locks;
    SourcePlace place;
    std::vector<SourcePlace> callers; ///< innermost first

    bool operator==(const ReportedAccess&) const = default;
};

/// A step of the witness that a person needs to see.
struct ReportedStep {
    std::string thread;
    std::string words; ///< "lock acct->mu"
    SourcePlace place;
    bool marked = false; ///< an event of the finding itself

    bool operator==(const ReportedStep&) const = default;
};

struct ReportedFinding {
    std::uint32_t number = 0; ///< as in `heddle analyze`
    FindingKind kind = FindingKind::race;
    Certainty certainty = Certainty::possible;
    std::string headline; ///< "data race on 'x'"
    std::string variable; ///< of races and atomicity violations
    std::string why;      ///< it is no more than possible
    std::vector<ReportedAccess> accesses;
    std::vector<ReportedStep> steps; ///< of the witness, if it has one
    std::string schedule;            ///< the witness as a Markdown table
    std::string schedule_text;       ///< the same in columns of text
    std::string witness_json;        ///< the finding as `heddle witness --format json` has it

    bool operator==(const ReportedFinding&) const = default;
};

struct TraceReport {
    std::string test;    ///< the name of the test that was recorded, or of the program
    std::string command; ///< what was run
    std::optional<std::int64_t> recorded_unix_ns;
    std::uint64_t events = 0;
    bool complete = false; ///< the recording was finished when this was made
    std::vector<ReportedFinding> findings;
    std::uint64_t left_out = 0;     ///< findings beyond the limit
    std::vector<std::string> notes; ///< for the person: damage, limits that were reached, missing symbols

    bool operator==(const TraceReport&) const = default;
};

/// The same for the same bug in any run of the same source: what it is and where.
[[nodiscard]] std::string bug_key(const ReportedFinding& finding);

} // namespace heddle::report
