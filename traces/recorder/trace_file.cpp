#include "traces/recorder/trace_file.h"

#include "traces/recorder/raw_system_call.h"
#include "traces/recorder/settings.h"

#include <cerrno>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::recorder {

namespace {

std::string expanded(std::string_view pattern) {
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '%' || i + 1 == pattern.size()) {
            text += pattern[i];
            continue;
        }
        switch (pattern[++i]) {
        case 'n': text += program_name(); break;
        case 'p': text += std::to_string(raw_process_id()); break;
        default: text += pattern[i]; break;
        }
    }
    return text;
}

/// "a/b.htr" and 17 give "a/<program>.17.htr"
std::string unique_name(const std::string& path, unsigned attempt) {
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
    std::string name = fmt::format("{}{}.{}", folder, program_name(), raw_process_id());
    if (attempt > 0) name += fmt::format("-{}", attempt);
    return name + ".htr";
}

void make_folders(const std::string& path) {
    for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
        ::mkdir(path.substr(0, at).c_str(), 0777);
    }
}

/// A descriptor that this process alone holds, or -1 and errno (EWOULDBLOCK: another one does).
int open_locked(const std::string& path, int flags) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | flags, 0644);
    if (descriptor < 0) return -1;
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        const int error = errno;
        ::close(descriptor);
        errno = error;
        return -1;
    }
    return descriptor;
}

std::string quoted(std::string_view text) {
    std::string json = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') json += '\\';
        if (static_cast<unsigned char>(c) < 0x20) {
            json += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            json += c;
        }
    }
    return json + '"';
}

} // namespace

std::string program_name() {
    return settings().program;
}

Result<OpenedFile> open_trace_file() {
    constexpr unsigned kAttempts = 1000;
    const std::string wanted = expanded(settings().trace_pattern);
    make_folders(wanted);
    std::string path = wanted;
    int descriptor = -1;
    if (!settings().descendant) descriptor = open_locked(path, 0);
    for (unsigned attempt = 0; attempt < kAttempts && descriptor < 0; ++attempt) {
        if (!settings().descendant && errno != EWOULDBLOCK) break;
        path = unique_name(wanted, attempt);
        descriptor = open_locked(path, O_EXCL);
        if (descriptor < 0 && errno != EEXIST && errno != EWOULDBLOCK) break;
    }
    // What cannot be cut short (a pipe, a device) has nothing in it to be cut off.
    if (descriptor < 0 || (::ftruncate(descriptor, 0) != 0 && errno != EINVAL)) {
        return fail(fmt::format("{}: the trace cannot be written: {}; the program runs unrecorded", path,
                                std::strerror(errno)));
    }
    if (path[0] != '/') {
        // The program may change its directory.
        if (char* folder = ::get_current_dir_name(); folder != nullptr) {
            path = std::string(folder) + "/" + path;
            ::free(folder);
        }
    }
    return OpenedFile{descriptor, path};
}

void tell_problem(const std::string& problem) {
    if (settings().quiet || settings().summary_fd >= 0 || settings().summary_path != nullptr) return;
    const std::string line = "[heddle] " + problem + "\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

void write_summary(const Summary& summary) {
    int descriptor = settings().summary_fd;
    const bool own = descriptor < 0 && settings().summary_path != nullptr;
    if (own) descriptor = ::open(settings().summary_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (descriptor < 0) return;
    std::string line = fmt::format(
        R"({{"pid":{},"program":{},"trace":{},"threads":{},"events_seen":{},"events_kept":{},"bytes":{})",
        raw_process_id(), quoted(program_name()), quoted(summary.trace), summary.threads, summary.events_seen,
        summary.events_kept, summary.bytes);
    if (!summary.problem.empty()) line += fmt::format(R"(,"problem":{})", quoted(summary.problem));
    line += "}\n";
    [[maybe_unused]] const ssize_t written = ::write(descriptor, line.data(), line.size());
    if (own) ::close(descriptor);
}

} // namespace heddle::recorder
