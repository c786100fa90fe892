// A sample program, recorded and analysed as a user would; and what was reported, step by step, in terms of
// its source.
#pragma once

#include <string>
#include <vector>

namespace heddle::test {

/// A function of the program and a line in it.
struct SourceFrame {
    std::string function; ///< without parameters
    unsigned line = 0;
    unsigned column = 0; ///< 0: not known
};

struct ReportedLock {
    std::string name;
    bool shared = false;
};

struct ReportedStep {
    std::string thread;
    std::string operation; ///< as `heddle analyze` has it: "r", "w", "acq"
    std::vector<SourceFrame>
        frames; ///< those in the program's own file, innermost first, inlined ones included
    std::vector<ReportedLock> holding;
    std::string asks_for;           ///< a request's lock
    std::vector<SourceFrame> since; ///< where the lock that makes it part of a deadlock was taken
};

struct ReportedFinding {
    std::string kind; ///< "race", "atomicity", "deadlock"
    std::string pattern;
    std::string verdict; ///< "possible", "witnessed", …
    std::string variable;
    std::vector<ReportedStep> steps;
};

[[nodiscard]] std::string text_of(const ReportedFinding& finding);

struct Report {
    std::vector<std::string> threads; ///< names, of all but the first
    std::vector<ReportedFinding> findings;
};

/// Records one clean run of `program`, which was built from the file `source`, and analyses it. Runs that
/// were not clean are tried again, a few times. Fails the test when no run was clean, or its trace is not
/// sound.
[[nodiscard]] Report report_on(const std::string& program, const std::string& source);

} // namespace heddle::test
