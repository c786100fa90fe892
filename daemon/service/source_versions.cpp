#include "daemon/service/source_versions.h"

#include "analysis/source/functions.h"
#include "daemon/settings/text_file.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

namespace heddle::service {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxBytes = std::size_t{8} << 20U; ///< of a file somebody wrote

std::set<std::string> files_of(const report::TraceReport& report) {
    std::set<std::string> files;
    for (const report::ReportedFinding& finding : report.findings) {
        for (const report::ReportedAccess& access : finding.accesses) {
            files.insert(access.place.file);
            for (const report::SourcePlace& caller : access.callers) files.insert(caller.file);
        }
        for (const report::ReportedStep& step : finding.steps) files.insert(step.place.file);
    }
    return files;
}

std::vector<report::SourceVersion::Function> functions_in(const std::string& path, const std::string& text) {
    std::vector<report::SourceVersion::Function> result;
    const auto language = language_of(path);
    if (!language) return result;
    for (const source::Function& function : source::functions(source::SyntaxTree::parse(text, *language)))
        result.emplace_back(function.range.first, function.range.end);
    return result;
}

} // namespace

bool changed_after(const std::string& path, std::int64_t unix_ns) {
    std::error_code error;
    const auto changed = fs::last_write_time(path, error);
    if (error) return false;
    const auto unix_time = std::chrono::file_clock::to_sys(changed).time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(unix_time).count() > unix_ns;
}

std::string SourceVersions::absolute(const std::string& file) const {
    return (fs::path(root_) / file).lexically_normal().string();
}

void SourceVersions::restore(report::TraceReport& kept) {
    for (report::SourceVersion& version : kept.sources) version.text = cache_.find_text(version.hash);
    known_ = kept.sources;
    std::erase_if(known_, [](const report::SourceVersion& version) { return !version.text; });
}

void SourceVersions::add_to(report::TraceReport& report) {
    report.sources.clear();
    for (const std::string& file : files_of(report)) {
        if (file.empty() || !absolute(file).starts_with(root_ + "/")) continue;
        auto known = std::ranges::find(known_, file, &report::SourceVersion::file);
        if (known == known_.end()) known = known_.insert(known, read(file, report));
        if (!known->hash.empty()) report.sources.push_back(*known);
    }
}

report::SourceVersion SourceVersions::read(const std::string& file, const report::TraceReport& report) {
    report::SourceVersion version;
    version.file = file;
    const std::string path = absolute(file);
    auto text = settings::read_text_file(path, kMaxBytes);
    if (!text || !*text) return version;
    version.changed = report.recorded_unix_ns && changed_after(path, *report.recorded_unix_ns);
    version.hash = ReportCache::hash_of_text(**text);
    if (auto known = memo_.functions(version.hash)) {
        version.functions = std::move(*known);
    } else {
        version.functions = functions_in(path, **text);
        memo_.keep_functions(version.hash, version.functions);
    }
    version.text = cache_.keep_text(std::move(**text), on_disk_);
    return version;
}

} // namespace heddle::service
