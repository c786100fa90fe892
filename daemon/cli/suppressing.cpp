#include "daemon/cli/suppressing.h"

#include "daemon/cli/output.h"
#include "daemon/settings/finding_suspect.h"

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace heddle::cli {

namespace {

constexpr const char* kUsualFile = ".heddle/suppressions";

} // namespace

void add_suppression_options(CLI::App& command, SuppressionFlags& flags) {
    command.add_option(
        "--suppressions", flags.file,
        fmt::format("What not to show, in ThreadSanitizer's format; {} if it is there", kUsualFile));
    command.add_flag("--show-suppressed", flags.show, "Also tell what is suppressed, and by which line");
}

Result<SuppressionFile> SuppressionFile::load(const SuppressionFlags& flags) {
    SuppressionFile file;
    std::error_code ignored;
    if (flags.file.empty() && !std::filesystem::exists(kUsualFile, ignored)) return file;
    file.path_ = flags.file.empty() ? kUsualFile : flags.file;
    Result<settings::Suppressions> read = settings::read_suppressions(file.path_);
    if (!read) return tl::make_unexpected(std::move(read.error()));
    print_notes(read->problems);
    file.suppressions_ = std::move(*read);
    return file;
}

report::Suppressed SuppressionFile::of(const Trace& trace, const Analysis& analysis) const {
    if (suppressions_.list.empty()) return {};
    std::vector<std::string> by;
    for (const Finding& finding : analysis.findings) {
        const settings::Suppression* const line = suppressions_.match(settings::suspect_of(trace, finding));
        by.push_back(line == nullptr ? std::string() : fmt::format("{}:{}", path_, line->line));
    }
    return report::Suppressed(std::move(by));
}

} // namespace heddle::cli
