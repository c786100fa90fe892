#include "daemon/record/program.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace heddle::record {

namespace {

namespace fs = std::filesystem;

/// The names under which compilers ask for a shared runtime; the recorder's folder answers to them.
bool names_runtime(std::string_view library) {
    return library.starts_with("libtsan.so") || library.starts_with("libclang_rt.tsan") ||
           library.starts_with("libheddle_recorder.so");
}

std::vector<std::string> split_path(std::string_view list) {
    std::vector<std::string> parts;
    while (true) {
        const std::size_t end = std::min(list.find(':'), list.size());
        parts.emplace_back(end == 0 ? "." : list.substr(0, end));
        if (end == list.size()) return parts;
        list.remove_prefix(end + 1);
    }
}

bool is_file(const std::string& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

/// Walks the libraries that the loader will bring in, those of the system's folders left out: nobody
/// instruments these. Looks where the files and LD_LIBRARY_PATH say.
class LibraryWalk {
  public:
    explicit LibraryWalk(const std::string& library_path) {
        if (!library_path.empty()) always_ = split_path(library_path);
    }

    bool reaches_runtime(const ElfFile& file) {
        for (const std::string& library : file.needed) {
            if (names_runtime(library)) return true;
            if (!seen_.insert(library).second) continue;
            const std::string path = locate(library, file);
            if (path.empty()) continue;
            const auto read = read_elf_file(path);
            if (read && reaches_runtime(*read)) return true;
        }
        return false;
    }

  private:
    [[nodiscard]] std::string locate(const std::string& library, const ElfFile& file) const {
        if (library.find('/') != std::string::npos) return is_file(library) ? library : "";
        for (const auto* folders : {&always_, &file.search_paths}) {
            for (const std::string& folder : *folders) {
                std::string path = (fs::path(folder) / library).string();
                if (is_file(path)) return path;
            }
        }
        return "";
    }

    std::vector<std::string> always_;
    std::set<std::string> seen_;
};

Recordable judge(const ElfFile& file, const std::string& library_path) {
    switch (file.kind) {
    case FileKind::script: return Recordable::depends;
    case FileKind::foreign: return Recordable::other_machine;
    case FileKind::other: return Recordable::unknown_format;
    case FileKind::elf: break;
    }
    if (file.has_recorder) return Recordable::yes;
    if (file.has_tsan) return Recordable::other_runtime;
    if (!file.dynamic) return Recordable::static_plain;
    return LibraryWalk(library_path).reaches_runtime(file) ? Recordable::yes : Recordable::plain;
}

} // namespace

tl::expected<std::string, ProgramError> find_program(const std::string& name) {
    const auto refuse = [&](ProgramProblem problem, std::string message) {
        return tl::make_unexpected(ProgramError{problem, std::move(message)});
    };
    if (name.find('/') != std::string::npos) {
        std::error_code problem;
        const fs::file_status status = fs::status(name, problem);
        if (!fs::exists(status))
            return refuse(ProgramProblem::not_found, fmt::format("{}: there is no such file", name));
        if (fs::is_directory(status))
            return refuse(ProgramProblem::not_executable, fmt::format("{}: is a folder", name));
        if (access(name.c_str(), X_OK) != 0)
            return refuse(ProgramProblem::not_executable,
                          fmt::format("{}: may not be executed (chmod +x would allow it)", name));
        return name;
    }
    const char* path = std::getenv("PATH");
    for (const std::string& folder : split_path(path == nullptr ? "/bin:/usr/bin" : path)) {
        std::string file = (fs::path(folder) / name).string();
        if (is_file(file) && access(file.c_str(), X_OK) == 0) return file;
    }
    const bool here = is_file(name);
    return refuse(ProgramProblem::not_found,
                  fmt::format("{}: not found in $PATH{}", name,
                              here ? fmt::format("; for the file in this folder say ./{}", name) : ""));
}

Result<Program> inspect_program(const std::string& path, const std::string& library_path) {
    const auto file = read_elf_file(path);
    if (!file) return tl::make_unexpected(file.error());
    const Recordable recordable = judge(*file, library_path);
    const bool asks_itself = std::any_of(file->needed.begin(), file->needed.end(), names_runtime);
    return Program{.path = path,
                   .recordable = recordable,
                   .wants_preload = recordable == Recordable::yes && !file->has_recorder && !asks_itself};
}

} // namespace heddle::record
