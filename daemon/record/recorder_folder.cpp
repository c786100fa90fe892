#include "daemon/record/recorder_folder.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

namespace heddle::record {

namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libtsan.so.2";

bool holds_recorder(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / kLibrary, ignored);
}

Result<std::string> checked(const std::string& folder, const char* who) {
    std::error_code problem;
    const fs::path whole = fs::absolute(folder, problem);
    if (problem || !holds_recorder(whole))
        return fail(fmt::format("{}, which {} names, does not hold {}", folder, who, kLibrary));
    return whole.string();
}

} // namespace

Result<std::string> find_recorder_folder(const std::string& asked) {
    if (!asked.empty()) return checked(asked, "--recorder");
    const char* named = std::getenv("HEDDLE_RECORDER");
    if (named != nullptr && *named != '\0') return checked(named, "$HEDDLE_RECORDER");

    std::error_code problem;
    const fs::path program = fs::read_symlink("/proc/self/exe", problem);
    if (problem) return fail("cannot tell where heddle itself is (is /proc mounted?); say --recorder FOLDER");
    const fs::path root = program.parent_path().parent_path();
    for (const char* libraries : {"lib", HEDDLE_INSTALL_LIBDIR}) {
        const fs::path folder = root / libraries / "heddle" / "recorder";
        if (holds_recorder(folder)) return folder.string();
    }
    return fail(
        fmt::format("the recorder's library {} is not below {}; reinstall heddle, or say --recorder FOLDER",
                    kLibrary, (root / "lib").string()));
}

} // namespace heddle::record
