// The bugs of all traces of a workspace, by the source files they are in. The same bug found in several runs
// is one bug, told by the run that knows most of it.
#pragma once

#include "daemon/service/trace_store.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace heddle::service {

/// One run's knowledge of a bug.
struct Sighting {
    std::string trace; ///< path of the trace file
    SharedReport report;
    std::size_t finding = 0; ///< in the report

    [[nodiscard]] const report::ReportedFinding& operator*() const { return report->findings[finding]; }
    [[nodiscard]] const report::ReportedFinding* operator->() const { return &report->findings[finding]; }
};

struct Bug {
    std::string key;
    std::vector<Sighting> sightings; ///< the best first; at least one

    [[nodiscard]] const Sighting& best() const { return sightings.front(); }
};

class BugIndex {
  public:
    /// Relative paths of source files are below `root`.
    explicit BugIndex(std::string root);

    /// Replaces what was told by this trace; the source files whose bugs may have changed.
    std::set<std::string> set(const std::string& trace, const std::vector<SharedReport>& reports);

    /// Bugs with an access in the file, an absolute path. In a stable order.
    [[nodiscard]] std::vector<const Bug*> in(const std::string& file) const;
    [[nodiscard]] const Bug* find(const std::string& key) const;
    [[nodiscard]] const std::map<std::string, Bug>& all() const { return bugs_; }
    [[nodiscard]] std::vector<std::string> files() const;

    /// The absolute path of a place's file; empty when it has none.
    [[nodiscard]] std::string absolute(const report::SourcePlace& place) const;
    /// Where a person looks for an access: in the workspace's own code, if that called what accessed.
    [[nodiscard]] const report::SourcePlace& shown(const report::ReportedAccess& access) const;

  private:
    [[nodiscard]] bool own(const report::SourcePlace& place) const;
    void remove(const std::string& trace, std::set<std::string>& touched);
    void touch(const Bug& bug, std::set<std::string>& touched) const;

    std::string root_;
    std::map<std::string, Bug> bugs_;                      ///< by key
    std::map<std::string, std::set<std::string>> by_file_; ///< keys
    std::map<std::string, std::set<std::string>> by_trace_;
};

} // namespace heddle::service
