// What there is to tell of one recorded run: its findings in words and source places, free of the trace. It
// is small, so it is kept, shared and stored long after the events are gone; it never changes once it is
// made.
#pragma once

#include "analysis/candidate.h"
#include "analysis/source/place.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::report {

/// A place, or the expression that is there: then line and column are where it begins.
struct SourcePlace {
    std::string file; ///< as the trace has it: absolute, or relative to the workspace; empty when not known
    std::uint32_t line = 0;       ///< from 1; 0 when not known
    std::uint32_t column = 0;     ///< in bytes, from 1; 0 when not known
    std::uint32_t end_line = 0;   ///< where the expression ends; 0 when it is not known
    std::uint32_t end_column = 0; ///< excluded
    std::string function;

    bool operator==(const SourcePlace&) const = default;
};

/// How sure a finding is (docs/algorithms.md). Refuted and undecided ones are not reported.
enum class Certainty : std::uint8_t { possible, witnessed, confirmed };
inline constexpr std::array<std::string_view, 3> kCertaintyNames = {"possible", "witnessed", "confirmed"};

/// A lock that is held.
struct ReportedLock {
    std::string name;
    bool shared = false; ///< others may hold it at the same time

    auto operator<=>(const ReportedLock&) const = default;
};

/// "mu", or "mu (shared)".
[[nodiscard]] std::vector<std::string> lock_words(const std::vector<ReportedLock>& locks);

struct ReportedAccess {
    std::uint32_t event = 0; ///< in the trace
    std::string operation;   ///< "write", "lock 'b'"
    std::string thread;      ///< "T2 teller"
    std::vector<ReportedLock> locks;
    SourcePlace place;
    std::vector<SourcePlace> callers; ///< innermost first
    source::Operation act = source::Operation::other;

    bool operator==(const ReportedAccess&) const = default;
};

/// See Trace::place_for_people.
[[nodiscard]] const SourcePlace& place_for_people(const ReportedAccess& access);

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
    std::string headline;        ///< "data race on 'x'"
    std::string variable;        ///< of races and atomicity violations
    std::uint32_t variables = 1; ///< that the bug is about
    std::string why;             ///< it is no more than possible
    Intent intent = Intent::recorded;
    std::string because; ///< why two accesses belong together, unless the run itself shows it
    std::vector<ReportedAccess> accesses;
    std::vector<ReportedStep> steps; ///< of the witness, if it has one
    std::string schedule;            ///< the witness as a Markdown table
    std::string schedule_text;       ///< the same in columns of text
    std::string witness_json;        ///< the finding as `heddle witness --format json` has it
    std::string recorded_key;        ///< what it is called beside the trace (make_report.h)

    bool operator==(const ReportedFinding&) const = default;
};

/// A source file as it was when the run was analysed: what the lines and columns of places count in.
struct SourceVersion {
    /// The bytes of a function's definition, the end excluded.
    using Function = std::pair<std::uint32_t, std::uint32_t>;

    std::string file;                        ///< as in SourcePlace
    std::string hash;                        ///< of the text
    bool changed = false;                    ///< since the run was recorded: not the text that was compiled
    std::vector<Function> functions;         ///< by place
    std::shared_ptr<const std::string> text; ///< null when it is no longer known

    bool operator==(const SourceVersion& other) const {
        return file == other.file && hash == other.hash && changed == other.changed &&
               functions == other.functions;
    }
};

/// Accesses of a shared variable that are alike.
struct ReportedUse {
    SourcePlace place;
    source::Operation act = source::Operation::other;
    std::vector<ReportedLock> locks; ///< held
    std::uint64_t count = 0;

    bool operator==(const ReportedUse&) const = default;
};

/// A variable that several threads used in the run, or all elements of an array that did: "cells[].x".
struct ReportedVariable {
    std::string name;
    std::string guard;          ///< the lock that most accesses hold; empty when none is held at most of them
    std::uint64_t guarded = 0;  ///< accesses that hold it,
    std::uint64_t accesses = 0; ///< of all that were made while other threads could make some
    std::vector<ReportedUse> uses;
    std::string owner{}; ///< the class of a heap object whose member it is, if its uses show that

    bool operator==(const ReportedVariable&) const = default;
};

struct TraceReport {
    std::string test;    ///< the name of the test that was recorded, or of the program
    std::string command; ///< what was run
    std::optional<std::int64_t> recorded_unix_ns;
    std::uint64_t events = 0;
    bool complete = false; ///< the recording was finished when this was made
    std::vector<ReportedFinding> findings;
    std::vector<ReportedVariable> variables; ///< the most used first
    std::vector<SourceVersion> sources;      ///< of the findings' places, those that could be read; by file
    std::uint64_t left_out = 0;              ///< findings beyond the limit
    std::vector<std::string> notes; ///< for the person: damage, limits that were reached, missing symbols

    bool operator==(const TraceReport&) const = default;

    /// Null when the file's text is not known.
    [[nodiscard]] const SourceVersion* source(std::string_view file) const;
};

/// The same for the same bug in any run of the same source: what it is and where.
[[nodiscard]] std::string bug_key(const ReportedFinding& finding);

} // namespace heddle::report
