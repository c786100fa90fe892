// The sources of a workspace that a fix is written in: those that a report counts in, as they were then, and
// others as they are on disk. Each is read and parsed once.
//
// For one worker, for one fix; reads files, writes none.
#pragma once

#include "analysis/source/syntax_tree.h"
#include "daemon/report/report.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::fix {

struct Source {
    std::string path; ///< absolute
    report::SourceVersion version;
    source::SyntaxTree tree;
};

class Sources {
  public:
    /// `root`: of the workspace. The report must outlive it.
    Sources(std::string root, const report::TraceReport& report) : root_(std::move(root)), report_(report) {}

    /// A file as the trace names it. Null: it is not of the workspace, cannot be read, or was changed since
    /// the run.
    [[nodiscard]] const Source* find(std::string_view file);

    /// The workspace's own headers that a source includes, directly or not.
    [[nodiscard]] std::vector<const source::SyntaxTree*> headers_of(const Source& source);

    /// Every source of the workspace that has one of the names, `own` first, all in one language. Nothing
    /// when there are too many to look at, when C and C++ use it, or when one of them was changed since the
    /// run.
    [[nodiscard]] std::optional<std::vector<const Source*>> with_names(const Source& own,
                                                                       const std::vector<std::string>& names);

  private:
    [[nodiscard]] const Source* at(const std::string& path, Language language);
    [[nodiscard]] std::optional<report::SourceVersion> version_of(const std::string& path) const;
    [[nodiscard]] const std::optional<std::vector<std::string>>& files();

    std::string root_;
    const report::TraceReport& report_;
    std::map<std::pair<std::string, Language>, std::unique_ptr<Source>> known_; ///< null: cannot be used
    std::optional<std::optional<std::vector<std::string>>> files_;
};

} // namespace heddle::fix
