// One folder that editors work in: its settings, its traces, the bugs in them, and what the user does not
// want to see of these. All editors that have the folder open share it. Lives on the loop.
#pragma once

#include "daemon/service/bug_index.h"
#include "daemon/service/trace_store.h"
#include "daemon/service/unreadable_traces.h"
#include "daemon/settings/settings.h"
#include "daemon/settings/suppressions.h"
#include "daemon/watch/trace_watcher.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/steady_timer.hpp>
#include <nlohmann/json.hpp>

namespace heddle::service {

/// Who is told what happens in a workspace.
class WorkspaceListener {
  public:
    WorkspaceListener() = default;
    WorkspaceListener(const WorkspaceListener&) = delete;
    WorkspaceListener& operator=(const WorkspaceListener&) = delete;
    WorkspaceListener(WorkspaceListener&&) = delete;
    WorkspaceListener& operator=(WorkspaceListener&&) = delete;
    virtual ~WorkspaceListener() = default;

    virtual void bugs_changed(const std::set<std::string>& files) = 0;
    /// What is known of runs beside their bugs.
    virtual void runs_changed() = 0;
    virtual void activity_changed() = 0;
    /// Something that needs a person: a trace that cannot be read, a setting that is wrong.
    virtual void problem(const std::string& message) = 0;
};

class Workspace {
  public:
    /// `command_line` are settings that go over all others.
    Workspace(TraceStore::Means means, std::string root, nlohmann::json command_line,
              std::function<void(const std::string&)> log);

    void add(WorkspaceListener& listener);
    void remove(WorkspaceListener& listener);

    /// The editor's settings, from whichever editor spoke last.
    void set_editor_settings(nlohmann::json settings);
    /// Looks whether the workspace's own settings and suppressions have changed.
    void reread_files();
    /// Everything anew.
    void analyse_again();

    [[nodiscard]] const std::string& root() const { return root_; }
    [[nodiscard]] const settings::Settings& settings() const { return settings_; }
    [[nodiscard]] const BugIndex& bugs() const { return bugs_; }
    [[nodiscard]] TraceStore& traces() { return store_; }

    /// Those that are to be seen: not suppressed, and sure enough.
    [[nodiscard]] bool visible(const Bug& bug) const;
    [[nodiscard]] std::vector<const Bug*> visible_in(const std::string& file) const;

    [[nodiscard]] std::string suppressions_file() const { return absolute(settings_.suppressions.value); }
    /// Puts the bug into the suppressions file; the line that it got.
    [[nodiscard]] Result<std::string> suppress(const Bug& bug);

  private:
    void file_changed(const watch::FileChange& change);
    void reread_soon();
    [[nodiscard]] bool is_own_file(std::string_view name) const;
    void reports_changed(const std::string& path);
    void apply_settings();
    void watch_folders();
    void reread_suppressions();
    void tell(const std::set<std::string>& files);
    void tell_problem(const std::string& message);
    void trace_problem(const std::string& path, const std::string& why);
    [[nodiscard]] std::string absolute(const std::string& path) const;
    [[nodiscard]] std::string folder_of_own(const std::string& file) const;

    std::string root_;
    SharedSymbols& symbols_;
    ReportCache& cache_;
    nlohmann::json command_line_;
    nlohmann::json editor_;
    std::function<void(const std::string&)> log_;
    std::vector<WorkspaceListener*> listeners_;
    settings::Settings settings_;
    settings::Suppressions suppressions_;
    std::string seen_config_;       ///< what the file looked like, see stamp()
    std::string seen_suppressions_; ///< likewise
    std::set<std::string> told_;    ///< problems of settings, each once until they change
    UnreadableTraces unreadable_;
    BugIndex bugs_;
    TraceStore store_;
    std::set<std::string> trace_folders_;
    boost::asio::steady_timer written_; ///< a file of the workspace's own has not changed for a moment
    std::shared_ptr<const int> life_ = std::make_shared<int>(); ///< for who comes back late
    watch::TraceWatcher watcher_;
};

} // namespace heddle::service
