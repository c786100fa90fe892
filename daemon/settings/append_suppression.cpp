// Adding to a file that belongs to the user.
#include "daemon/settings/limits.h"
#include "daemon/settings/suppressions.h"
#include "daemon/settings/text_file.h"
#include "traces/io/file_sink.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

namespace heddle::settings {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeading = "# Findings that are not shown: type:pattern, as in ThreadSanitizer's "
                                      "suppression files.\n";

bool has_line(std::string_view text, std::string_view line) {
    for (std::size_t at = text.find(line); at != std::string_view::npos; at = text.find(line, at + 1)) {
        const std::string_view rest = text.substr(at + line.size());
        const bool begins = at == 0 || text[at - 1] == '\n';
        if (begins && (rest.empty() || rest.starts_with('\n') || rest.starts_with("\r\n"))) return true;
    }
    return false;
}

/// The file that the name leads to: a link stays one.
std::string behind_links(const std::string& path) {
    std::error_code error;
    const fs::path found = fs::weakly_canonical(fs::absolute(path, error), error);
    return error ? path : found.string();
}

} // namespace

Result<void> append_suppression(const std::string& path, const std::string& line) {
    const std::string target = behind_links(path);
    auto text = read_text_file(target, kLimits.suppressions_bytes);
    if (!text) return tl::make_unexpected(text.error());
    std::error_code error;
    fs::perms mode = fs::perms::unknown;
    if (*text) {
        if (has_line(**text, line)) return {};
        mode = fs::status(target, error).permissions();
    } else {
        fs::create_directories(fs::path(target).parent_path(), error);
        if (error) return fail(fmt::format("{}: its folder cannot be made: {}", path, error.message()));
        *text = kHeading;
    }
    if (!(*text)->empty() && !(*text)->ends_with('\n')) **text += '\n';
    FileSink file(target);
    if (Result<void> written = file.write(**text + line + "\n"); !written) return written;
    if (Result<void> finished = file.finish(); !finished) return finished;
    // Best effort: the file is whole, and only its owner's wish for its mode is at stake.
    if (mode != fs::perms::unknown) fs::permissions(target, mode, error);
    return {};
}

} // namespace heddle::settings
