#include "daemon/replay/offspring.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <system_error>
#include <utility>

#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::replay {

namespace {

namespace fs = std::filesystem;

constexpr int kPauseMs = 10;
constexpr int kMostRounds = 50; ///< of ending what was started, which may start more meanwhile

/// Of what the system tells of a process; empty when it is gone. A process that ends while it is looked at
/// makes reading fail, which the stream keeps to itself here: read through an iterator it would throw.
std::string text_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return std::move(text).str();
}

struct Process {
    pid_t parent = 0;
    bool has_ended = false; ///< and its parent has not asked how
};

/// "27045 (sleep) S 1 …"; the name may hold anything.
Process parse_stat(const std::string& text) {
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos || name_end + 4 >= text.size()) return {};
    Process process{.has_ended = text[name_end + 2] == 'Z' || text[name_end + 2] == 'X'};
    std::from_chars(text.data() + name_end + 4, text.data() + text.size(), process.parent);
    return process;
}

std::map<pid_t, Process> all_processes() {
    std::map<pid_t, Process> found;
    std::error_code error;
    for (fs::directory_iterator entry("/proc", error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        pid_t number = 0;
        const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
        if (problem != std::errc{} || end != name.data() + name.size()) continue;
        found.emplace(number, parse_stat(text_of(entry->path() / "stat")));
    }
    return found;
}

bool has_in_environment(pid_t process, const std::string& text) {
    return text_of(fs::path("/proc") / std::to_string(process) / "environ").find(text) != std::string::npos;
}

/// The child of this process that it descends from; 0: from none.
pid_t line_of(pid_t process, const std::map<pid_t, Process>& all) {
    // The system may have been read while it changed: a line never has more members than there are.
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto found = all.find(process);
        if (found == all.end()) return 0;
        if (found->second.parent == getpid()) return process;
        process = found->second.parent;
    }
    return 0;
}

} // namespace

Offspring::Offspring(std::string mark) : mark_(std::move(mark)) {
    for (const auto& [number, process] : all_processes()) {
        if (process.parent == getpid()) children_before_.push_back(number);
    }
    prctl(PR_GET_CHILD_SUBREAPER, &was_reaper_);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Offspring::~Offspring() {
    prctl(PR_SET_CHILD_SUBREAPER, was_reaper_);
}

/// Without those that have ended; of these, orphans are done away with.
std::vector<pid_t> Offspring::alive(pid_t first) const {
    std::vector<pid_t> result;
    const std::map<pid_t, Process> all = all_processes();
    for (const auto& [number, process] : all) {
        const pid_t line = line_of(number, all);
        const bool descends = line != 0 && std::find(children_before_.begin(), children_before_.end(),
                                                     line) == children_before_.end();
        if (!descends && !has_in_environment(number, mark_)) continue;
        if (!process.has_ended) {
            result.push_back(number);
        } else if (process.parent == getpid() && number != first) {
            waitpid(number, nullptr, WNOHANG);
        }
    }
    return result;
}

void Offspring::end(pid_t group) {
    kill(-group, SIGKILL);
    for (int round = 0; round < kMostRounds; ++round) {
        const std::vector<pid_t> left = alive(group);
        if (left.empty()) return;
        for (const pid_t process : left) kill(process, SIGKILL);
        poll(nullptr, 0, kPauseMs);
    }
}

} // namespace heddle::replay
