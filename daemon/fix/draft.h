// A fix as it is written and as the recorded run would show it, before anybody has tried it.
#pragma once

#include "analysis/source/rewriting.h"
#include "analysis/what_if/change.h"
#include "daemon/report/report.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle::fix {

/// Edits of one file.
struct FileEdits {
    std::string path;              ///< absolute
    report::SourceVersion version; ///< that the edits are of
    std::vector<source::Replacement> edits;
};

struct Draft {
    std::string title; ///< "Hold 'acct->mu' here"
    std::vector<FileEdits> files;
    Change change;
    std::optional<Change> otherwise; ///< where the run does not tell which of two it would be
    std::string caveat;              ///< what stays wrong whatever the run shows; empty as a rule
};

} // namespace heddle::fix
