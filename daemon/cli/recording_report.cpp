#include "daemon/cli/recording_report.h"

#include "daemon/cli/output.h"
#include "daemon/record/trace_check.h"
#include "daemon/report/number_words.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kProcessesShown = 10;

void say(const std::string& text) {
    fmt::print(stderr, "[heddle] {}\n", text);
}

/// Short for what lies below the current folder, as a user would type it.
std::string shown_path(const std::string& path) {
    std::error_code problem;
    const fs::path relative = fs::path(path).lexically_relative(fs::current_path(problem));
    if (problem || relative.empty() || *relative.begin() == "..") return path;
    return relative.string();
}

std::string expanded(const std::string& pattern, const std::string& program, pid_t process) {
    std::string result;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '%' || i + 1 == pattern.size()) {
            result += pattern[i];
            continue;
        }
        switch (pattern[++i]) {
        case 'n': result += program; break;
        case 'p': result += std::to_string(process); break;
        case '%': result += '%'; break;
        default: (result += '%') += pattern[i];
        }
    }
    return result;
}

void report_nothing(const Recording& recording) {
    print_error(
        fmt::format("{}: nothing was recorded: no process of it loaded the recorder", recording.program));
}

/// A process that could not say goodbye: what it left is a trace nevertheless.
void report_killed(const Recording& recording) {
    const std::string path = expanded(recording.trace_pattern, recording.program, recording.finished.process);
    std::error_code problem;
    const std::uintmax_t bytes = fs::file_size(path, problem);
    if (problem) {
        if (recording.processes.empty()) report_nothing(recording);
        return;
    }
    if (const auto checked = record::check_trace(path); !checked) {
        print_error(checked.error().message);
        return;
    }
    if (recording.quiet) return;
    say(fmt::format("{}: recorded up to its end, {}", recording.program, report::byte_count(bytes)));
    say(shown_path(path));
}

void report_process(const record::RecordedProcess& process, bool quiet) {
    if (!process.problem.empty()) print_error(fmt::format("{}: {}", process.program, process.problem));
    if (process.trace.empty()) return;
    if (const auto checked = record::check_trace(process.trace); !checked)
        print_error(checked.error().message);
    if (quiet) return;
    say(fmt::format("{}: {}, {} kept of {}, {}", process.program, report::counted(process.threads, "thread"),
                    report::counted(process.events_kept, "event"), report::grouped(process.events_seen),
                    report::byte_count(process.bytes)));
    say(shown_path(process.trace));
}

} // namespace

void report_recording(const Recording& recording) {
    const record::Finished& finished = recording.finished;
    if (finished.signal != 0) {
        say(fmt::format("{} was killed by signal {} ({})", recording.program, finished.signal,
                        strsignal(finished.signal)));
    }
    const auto& processes = recording.processes;
    const bool told =
        std::any_of(processes.begin(), processes.end(), [&](const record::RecordedProcess& process) {
            return process.process == finished.process;
        });
    if (finished.signal != 0 && !told) {
        report_killed(recording);
    } else if (processes.empty()) {
        report_nothing(recording);
        return;
    }
    const std::size_t shown = std::min(processes.size(), kProcessesShown);
    for (std::size_t i = 0; i < processes.size(); ++i) {
        report_process(processes[i], recording.quiet || i >= shown);
    }
    if (!recording.quiet && shown < processes.size())
        say(fmt::format("… and {} more", report::counted(processes.size() - shown, "trace")));
}

} // namespace heddle::cli
