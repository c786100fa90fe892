#include "daemon/service/workspace.h"

#include "daemon/cli/threads.h"
#include "daemon/cli/witness_budget.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace heddle::service {

namespace fs = std::filesystem;

namespace {

constexpr const char* kConfig = ".heddle/config.json";
/// After a change of the workspace's own files: who writes one is done with it by then.
constexpr std::chrono::milliseconds kWrittenAfter{100};

constexpr const char* kNoFile = "none";

/// What a file looks like from outside: another text means that it was changed.
std::string stamp(const std::string& path) {
    std::error_code error;
    const auto changed = fs::last_write_time(path, error);
    if (error) return kNoFile;
    return fmt::format("{} {}", changed.time_since_epoch().count(), fs::file_size(path, error));
}

AnalysisSettings analysis_settings(const settings::Settings& settings, const std::string& root) {
    const settings::Properties& wanted = settings.properties.value;
    AnalysisSettings result;
    result.root = root;
    for (const settings::PathMapping& mapping : settings.path_mappings.value)
        result.path_mappings.push_back(
            {mapping.from, (fs::path(root) / mapping.to).lexically_normal().string()});
    result.options.races = wanted.race;
    result.options.atomicity = wanted.atomicity;
    result.options.deadlocks = wanted.deadlock;
    result.options.refuted = false;
    result.options.witnesses = true;
    result.options.witness_budget = cli::witness_budget(settings.witness_budget.value);
    result.options.workers = cli::threads(0);
    result.max_findings = settings.max_findings.value;
    result.cache = settings.cache.value;
    result.infer = settings.infer_transactions.value;
    result.memory_limit_mib = settings.memory_limit_mib.value;
    return result;
}

settings::Suspect suspect(const report::ReportedFinding& finding) {
    settings::Suspect result;
    result.type = static_cast<settings::FindingType>(finding.kind);
    const auto frame = [](const report::SourcePlace& place) {
        return settings::Frame{place.function, place.file, {}};
    };
    for (const report::ReportedAccess& access : finding.accesses) {
        auto& stack = result.stacks.emplace_back();
        stack.push_back(frame(access.place));
        for (const report::SourcePlace& caller : access.callers) stack.push_back(frame(caller));
        if (finding.kind != FindingKind::deadlock) continue;
        for (const report::ReportedLock& lock : access.locks) result.objects.push_back(lock.name);
    }
    if (!finding.variable.empty()) result.objects.emplace_back(finding.variable);
    return result;
}

TraceChange trace_change(watch::ChangeKind kind, bool first_scan) {
    switch (kind) {
    case watch::ChangeKind::appeared: return first_scan ? TraceChange::finished : TraceChange::grew;
    case watch::ChangeKind::grew: return TraceChange::grew;
    case watch::ChangeKind::closed_by_writer: return TraceChange::finished;
    case watch::ChangeKind::replaced:
    case watch::ChangeKind::shrank: return TraceChange::replaced;
    case watch::ChangeKind::deleted: return TraceChange::gone;
    }
    return TraceChange::grew;
}

} // namespace

Workspace::Workspace(TraceStore::Means means, std::string root, nlohmann::json command_line,
                     std::function<void(const std::string&)> log)
    : root_(std::move(root)), symbols_(means.symbols), cache_(means.cache),
      command_line_(std::move(command_line)), log_(std::move(log)), bugs_(root_),
      store_(
          means, {},
          {.reports = [this](const std::string& path) { reports_changed(path); },
           .activity =
               [this](const std::string&) {
                   for (WorkspaceListener* listener : listeners_) listener->activity_changed();
               },
           .problem = [this](const std::string& path, const std::string& why) { trace_problem(path, why); }}),
      written_(means.loop),
      watcher_(means.loop,
               {.also_wanted = [this](std::string_view name) { return is_own_file(name); }, .log = log_},
               [this](const watch::FileChange& change) { file_changed(change); }) {
    reread_files();
}

void Workspace::add(WorkspaceListener& listener) {
    listeners_.push_back(&listener);
    for (const std::string& problem : told_) listener.problem(problem);
    for (const std::string& problem : unreadable_.summary()) listener.problem(problem);
}

void Workspace::remove(WorkspaceListener& listener) {
    std::erase(listeners_, &listener);
}

std::string Workspace::absolute(const std::string& path) const {
    std::string result = (fs::path(root_) / path).lexically_normal().string();
    if (result.size() > 1 && result.ends_with('/')) result.pop_back(); // of a folder, which has one name then
    return result;
}

bool Workspace::is_own_file(std::string_view name) const {
    return name == fs::path(kConfig).filename().native() ||
           name == fs::path(settings_.suppressions.value).filename().native();
}

std::string Workspace::folder_of_own(const std::string& file) const {
    return fs::path(absolute(file)).parent_path().string();
}

void Workspace::set_editor_settings(nlohmann::json settings) {
    if (settings == editor_) return;
    editor_ = std::move(settings);
    apply_settings();
}

void Workspace::reread_files() {
    const std::string config = stamp(absolute(kConfig));
    if (std::exchange(seen_config_, config) != config) apply_settings();
    reread_suppressions();
}

void Workspace::apply_settings() {
    settings::Settings settings;
    std::vector<std::string> problems =
        settings::apply_file(settings, settings::Layer::workspace_file, absolute(kConfig));
    const auto over = [&](settings::Layer layer, const nlohmann::json& object) {
        const std::vector<std::string> more = settings::apply(settings, layer, object);
        problems.insert(problems.end(), more.begin(), more.end());
    };
    over(settings::Layer::editor, editor_);
    over(settings::Layer::command_line, command_line_);
    const bool possible_before = settings_.show_possible.value;
    settings_ = std::move(settings);
    told_.clear();
    for (const std::string& problem : problems) tell_problem(problem);
    cache_.set_limit(settings_.cache_limit_mib.value << 20U);
    std::vector<std::string> folders = settings_.debug_folders.value;
    for (std::string& folder : folders) folder = absolute(folder);
    symbols_.look_in(folders);
    store_.use(analysis_settings(settings_, root_));
    watch_folders();
    reread_suppressions();
    if (settings_.show_possible.value != possible_before) {
        const std::vector<std::string> files = bugs_.files();
        tell({files.begin(), files.end()});
    }
}

void Workspace::watch_folders() {
    const std::set<std::string> before = std::exchange(trace_folders_, {});
    for (const std::string& folder : settings_.traces.value) trace_folders_.insert(absolute(folder));
    for (const std::string& path : store_.paths()) {
        if (!trace_folders_.contains(fs::path(path).parent_path().string()))
            store_.file_changed(path, TraceChange::gone, 0);
    }
    std::set<std::string> wanted = trace_folders_;
    wanted.insert(folder_of_own(kConfig));
    wanted.insert(folder_of_own(settings_.suppressions.value));
    for (const std::string& folder : watcher_.folders()) {
        // Traces of a folder that was watched for other files have been told of, to nobody.
        const bool has_traces_now = trace_folders_.contains(folder) && !before.contains(folder);
        if (!wanted.contains(folder) || has_traces_now) watcher_.unwatch(folder);
    }
    for (const std::string& folder : wanted) watcher_.watch(folder);
}

void Workspace::file_changed(const watch::FileChange& change) {
    const fs::path path(change.path);
    if (is_own_file(path.filename().native())) reread_soon();
    if (!watch::is_trace_name(change.path) || !trace_folders_.contains(path.parent_path().string())) return;
    reread_files();
    store_.file_changed(change.path, trace_change(change.kind, watcher_.scanning()), change.stamp.size);
}

void Workspace::reread_soon() {
    written_.expires_after(kWrittenAfter);
    written_.async_wait([this, life = std::weak_ptr(life_)](const boost::system::error_code& changed_again) {
        if (!changed_again && !life.expired()) reread_files();
    });
}

void Workspace::reports_changed(const std::string& path) {
    const std::vector<SharedReport> reports = store_.reports(path);
    for (const SharedReport& report : reports) {
        for (const std::string& note : report->notes) {
            if (log_) log_(fmt::format("{}: {}", fs::path(path).filename().string(), note));
        }
    }
    tell(bugs_.set(path, reports));
    for (WorkspaceListener* listener : listeners_) listener->runs_changed();
}

void Workspace::reread_suppressions() {
    const std::string path = suppressions_file();
    const std::string now = path + " " + stamp(path);
    if (std::exchange(seen_suppressions_, now) == now) return;
    suppressions_ = {};
    if (auto read = settings::read_suppressions(path)) {
        suppressions_ = std::move(*read);
        for (const std::string& problem : suppressions_.problems) tell_problem(problem);
    } else if (!now.ends_with(kNoFile)) {
        tell_problem(read.error().message);
    }
    const std::vector<std::string> files = bugs_.files();
    tell({files.begin(), files.end()});
}

void Workspace::analyse_again() {
    symbols_.forget();
    reread_files();
    watcher_.rescan();
    store_.analyse_again();
}

bool Workspace::visible(const Bug& bug) const {
    const report::ReportedFinding& finding = *bug.best();
    if (finding.certainty == report::Certainty::possible && !settings_.show_possible.value) return false;
    return suppressions_.list.empty() || suppressions_.match(suspect(finding)) == nullptr;
}

std::vector<const Bug*> Workspace::visible_in(const std::string& file) const {
    std::vector<const Bug*> result = bugs_.in(file);
    std::erase_if(result, [this](const Bug* bug) { return !visible(*bug); });
    return result;
}

Result<std::string> Workspace::suppress(const Bug& bug) {
    const auto line = settings::suppression_for(suspect(*bug.best()));
    if (!line) return fail("the finding has neither a function nor a file by which it could be suppressed");
    if (const auto appended = settings::append_suppression(suppressions_file(), *line); !appended)
        return tl::make_unexpected(appended.error());
    reread_suppressions();
    return *line;
}

void Workspace::tell(const std::set<std::string>& files) {
    if (files.empty()) return;
    for (WorkspaceListener* listener : listeners_) listener->bugs_changed(files);
}

void Workspace::trace_problem(const std::string& path, const std::string& why) {
    if (why.empty()) return unreadable_.remove(path);
    if (!unreadable_.is_news(path, why)) return;
    if (log_) log_(why);
    const std::optional<std::string> news = unreadable_.add(path, why);
    if (!news) return;
    for (WorkspaceListener* listener : listeners_) listener->problem(*news);
}

void Workspace::tell_problem(const std::string& message) {
    if (!told_.insert(message).second) return;
    if (log_) log_(message);
    for (WorkspaceListener* listener : listeners_) listener->problem(message);
}

} // namespace heddle::service
