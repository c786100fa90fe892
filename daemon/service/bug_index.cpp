#include "daemon/service/bug_index.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

namespace heddle::service {

namespace {

/// Surer, then seen later.
bool better(const Sighting& a, const Sighting& b) {
    if (a->certainty != b->certainty) return a->certainty > b->certainty;
    if (a->intent != b->intent) return a->intent < b->intent;
    if (a.report->recorded_unix_ns != b.report->recorded_unix_ns)
        return a.report->recorded_unix_ns > b.report->recorded_unix_ns;
    return a.trace < b.trace;
}

/// No part of the path is empty, `.` or `..`. Almost every path is so, and asked for with each hover, for
/// each bug of a file; std::filesystem would make a list of parts of it each time.
bool is_normal(std::string_view path) {
    std::size_t first = path.starts_with('/') ? 1 : 0;
    while (true) {
        const std::size_t end = std::min(path.find('/', first), path.size());
        const std::string_view part = path.substr(first, end - first);
        if (part.empty() || part == "." || part == "..") return false;
        if (end == path.size()) return true;
        first = end + 1;
    }
}

} // namespace

BugIndex::BugIndex(std::string root) : root_(std::filesystem::path(root).lexically_normal().string()) {
    if (!root_.ends_with('/')) root_ += '/';
}

bool BugIndex::own(const report::SourcePlace& place) const {
    if (is_normal(place.file)) return !place.file.starts_with('/') || place.file.starts_with(root_);
    return absolute(place).starts_with(root_);
}

const report::SourcePlace& BugIndex::shown(const report::ReportedAccess& access) const {
    if (own(access.place)) return access.place;
    const auto caller =
        std::ranges::find_if(access.callers, [&](const report::SourcePlace& place) { return own(place); });
    return caller == access.callers.end() ? access.place : *caller;
}

std::string BugIndex::absolute(const report::SourcePlace& place) const {
    if (place.file.empty()) return {};
    if (is_normal(place.file)) return place.file.starts_with('/') ? place.file : root_ + place.file;
    return (std::filesystem::path(root_) / place.file).lexically_normal().string();
}

void BugIndex::touch(const Bug& bug, std::set<std::string>& touched) const {
    for (const report::ReportedAccess& access : bug.best()->accesses) {
        const std::string file = absolute(shown(access));
        if (!file.empty()) touched.insert(file);
    }
}

void BugIndex::remove(const std::string& trace, std::set<std::string>& touched) {
    for (const std::string& key : by_trace_[trace]) {
        Bug& bug = bugs_.at(key);
        std::set<std::string> files;
        touch(bug, files);
        touched.insert(files.begin(), files.end());
        std::erase_if(bug.sightings, [&](const Sighting& one) { return one.trace == trace; });
        if (!bug.sightings.empty()) continue;
        for (const std::string& file : files) {
            auto& keys = by_file_[file];
            keys.erase(key);
            if (keys.empty()) by_file_.erase(file);
        }
        bugs_.erase(key);
    }
    by_trace_.erase(trace);
}

std::set<std::string> BugIndex::set(const std::string& trace, const std::vector<SharedReport>& reports) {
    std::set<std::string> touched;
    remove(trace, touched);
    for (const SharedReport& report : reports) {
        for (std::size_t i = 0; i < report->findings.size(); ++i) {
            Sighting sighting{trace, report, i};
            std::string key = report::bug_key(*sighting);
            Bug& bug = bugs_[key];
            bug.key = key;
            bug.sightings.insert(
                std::upper_bound(bug.sightings.begin(), bug.sightings.end(), sighting, better),
                std::move(sighting));
            std::set<std::string> files;
            touch(bug, files); // all sightings of a bug are at the same places
            for (const std::string& file : files) by_file_[file].insert(key);
            touched.insert(files.begin(), files.end());
            by_trace_[trace].insert(std::move(key));
        }
    }
    return touched;
}

std::vector<const Bug*> BugIndex::in(const std::string& file) const {
    std::vector<const Bug*> result;
    const auto found = by_file_.find(file);
    if (found == by_file_.end()) return result;
    for (const std::string& key : found->second) result.push_back(&bugs_.at(key));
    return result;
}

const Bug* BugIndex::find(const std::string& key) const {
    const auto found = bugs_.find(key);
    return found == bugs_.end() ? nullptr : &found->second;
}

std::vector<std::string> BugIndex::files() const {
    std::vector<std::string> result;
    for (const auto& [file, keys] : by_file_) result.push_back(file);
    return result;
}

} // namespace heddle::service
