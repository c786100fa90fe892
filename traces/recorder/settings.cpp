#include "traces/recorder/settings.h"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

namespace heddle::recorder {

constinit Settings current_settings;

namespace {

constexpr const char* kDefaultPattern = ".heddle/traces/%n.htr";
/// Tells a program that it was started by a recorded one, so that it does not overwrite that one's trace.
char descendant_mark[] = "HEDDLE_DESCENDANT=1";

/// Programs that show a title in the list of processes write it over their environment and arguments.
template<std::size_t Size>
const char* kept(char (&room)[Size], const char* text) {
    if (text == nullptr) return nullptr;
    std::strncpy(room, text, Size - 1);
    return room;
}
char pattern_room[PATH_MAX];
char summary_room[PATH_MAX];
char program_room[NAME_MAX + 1];

bool is_on(const char* name, bool otherwise) {
    const char* text = std::getenv(name);
    if (text == nullptr || *text == 0) return otherwise;
    return std::strcmp(text, "0") != 0 && std::strcmp(text, "off") != 0;
}

/// "512K", "20M", "2G" or plain bytes; anything else is no limit.
std::uint64_t size_in(const char* text) {
    if (text == nullptr) return 0;
    char* end = nullptr;
    const std::uint64_t number = std::strtoull(text, &end, 10);
    switch (*end) {
    case 'K':
    case 'k': return number << 10U;
    case 'M':
    case 'm': return number << 20U;
    case 'G':
    case 'g': return number << 30U;
    default: return number;
    }
}

} // namespace

void read_settings() noexcept {
    current_settings.values = is_on("HEDDLE_VALUES", true);
    current_settings.full = is_on("HEDDLE_FULL", false);
    current_settings.quiet = is_on("HEDDLE_QUIET", false);
    current_settings.follow = is_on("HEDDLE_FOLLOW", true);
    current_settings.replay = std::getenv("HEDDLE_REPLAY") != nullptr;
    current_settings.descendant = std::getenv("HEDDLE_DESCENDANT") != nullptr;
    current_settings.max_size = size_in(std::getenv("HEDDLE_MAX_SIZE"));
    if (const char* fd = std::getenv("HEDDLE_SUMMARY_FD"); fd != nullptr)
        current_settings.summary_fd = std::atoi(fd);
    current_settings.summary_path = kept(summary_room, std::getenv("HEDDLE_SUMMARY"));
    const char* pattern = std::getenv("HEDDLE_TRACE");
    current_settings.trace_pattern =
        pattern != nullptr && *pattern != 0 ? kept(pattern_room, pattern) : kDefaultPattern;
    const char* slash = std::strrchr(program_invocation_name, '/');
    current_settings.program = kept(program_room, slash != nullptr ? slash + 1 : program_invocation_name);
    current_settings.enabled = current_settings.follow || !current_settings.descendant;
    // Which process follows the plan is for the plan to say.
    if (current_settings.replay) current_settings.enabled = true;
    if (!current_settings.descendant) ::putenv(descendant_mark);
}

void become_descendant() noexcept {
    current_settings.descendant = true;
    current_settings.enabled = current_settings.follow;
}

} // namespace heddle::recorder
