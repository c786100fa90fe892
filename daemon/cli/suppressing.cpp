#include "daemon/cli/suppressing.h"

#include "daemon/cli/output.h"
#include "daemon/settings/finding_suspect.h"
#include "daemon/settings/ignore_comment.h"
#include "daemon/settings/text_file.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace heddle::cli {

namespace {

constexpr const char* kUsualFile = ".heddle/suppressions";
constexpr std::size_t kMaxSource = std::size_t{8} << 20U; ///< bytes, of a file somebody wrote

/// Lines of source files, each file read once.
class SourceLines {
  public:
    [[nodiscard]] std::string_view line(const std::string& file, std::uint32_t number) {
        const auto [known, is_new] = files_.try_emplace(file);
        if (is_new) read(file, known->second);
        const std::vector<std::string>& lines = known->second;
        return number == 0 || number > lines.size() ? std::string_view() : lines[number - 1];
    }

  private:
    static void read(const std::string& file, std::vector<std::string>& lines) {
        const auto text = settings::read_text_file(file, kMaxSource);
        if (!text || !*text) return;
        std::istringstream stream(**text);
        for (std::string line; std::getline(stream, line);) lines.push_back(line);
    }

    std::map<std::string, std::vector<std::string>> files_;
};

/// Where a comment asks not to show the finding: "bank.cpp:41"; empty when none does. In code of the system
/// nobody puts comments: there, it is the line of the call.
std::string ignoring_comment(const Trace& trace, const Finding& finding, SourceLines& lines) {
    for (const FindingAccess& access : finding.accesses) {
        StackId frame = trace[access.event].stack();
        for (; frame.valid(); frame = trace.stacks()[frame.value].caller) {
            const PlaceId id = trace.stacks()[frame.value].place;
            if (!id.valid()) continue;
            const Place& place = trace.places()[id.value];
            const std::string file(trace.string(place.file));
            if (!is_for_people(file)) continue;
            if (settings::ignores(lines.line(file, place.line), finding.kind()))
                return fmt::format("{}:{}", file, place.line);
            break;
        }
    }
    return {};
}

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
    std::vector<std::string> by;
    SourceLines lines;
    for (const Finding& finding : analysis.findings) {
        const settings::Suppression* const line =
            suppressions_.list.empty() ? nullptr : suppressions_.match(settings::suspect_of(trace, finding));
        by.push_back(line == nullptr ? ignoring_comment(trace, finding, lines)
                                     : fmt::format("{}:{}", path_, line->line));
    }
    return report::Suppressed(std::move(by));
}

} // namespace heddle::cli
