// What a sample program says about itself: the comment at its top, and the marks on its lines. README.md has
// the notation for people; this reads it, and refuses what is not exact.
//
// A mark "// [name]" at the end of a line names the line. Every mark that the comment uses is on exactly one
// line, that line has the expression which the comment tells, within the function it tells; and every mark is
// used. So a line that moves takes its place in the documentation along, and one that goes missing is
// noticed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::test {

struct DocumentedLock {
    std::string name;
    bool shared = false;
};

/// A line of the program, within a function.
struct MarkedLine {
    std::string function; ///< without parameters: "Account::deposit"
    std::string mark;
    unsigned line = 0;
};

/// One step of a bug: an access, or a request for a lock.
struct DocumentedStep {
    std::string operation; ///< "read", "write", "update" (one or both of them), "asks"
    std::string expression;
    MarkedLine place;
    std::vector<MarkedLine> inlined_into; ///< innermost first
    std::vector<DocumentedLock> holding;
    std::string asks_for; ///< the lock; for "asks" only
    MarkedLine since;     ///< where the last lock that it holds was taken; for "asks" only
};

enum class Claim {
    bug,        ///< must be found, and witnessed
    no_witness, ///< synchronisation allows it, what was read and written does not: no schedule leads there
    not_a_bug,  ///< synchronisation rules it out
};

/// The memory that a bug is about: a global variable, or a place in memory that was allocated.
struct DocumentedVariable {
    std::string name;     ///< "account.balance"; "cells[*]" stands for any index; empty for memory
    MarkedLine allocated; ///< for memory
    unsigned offset = 0;
};

struct DocumentedFinding {
    Claim claim = Claim::bug;
    std::string kind;    ///< as `heddle analyze` has it: "race", "atomicity", "deadlock"
    std::string pattern; ///< of an atomicity violation: "RWR"
    DocumentedVariable variable;
    std::vector<DocumentedStep> steps;
    std::string because;
};

struct Documentation {
    std::string about;
    std::vector<std::string> threads; ///< names of all threads but the first
    std::vector<DocumentedFinding> findings;
};

/// Throws std::runtime_error with line and reason when the text of a program is not documented exactly.
[[nodiscard]] Documentation parse_documentation(std::string_view program);

/// Whether a name is one that the documentation means: "cells[*]" means "cells[0]" and "cells[12]".
[[nodiscard]] bool name_matches(std::string_view documented, std::string_view name);

} // namespace heddle::test
