#include "traces/recorder/settings.h"

#include <cstdlib>
#include <cstring>

namespace heddle::recorder {

constinit Settings current_settings;

namespace {

constexpr const char* kDefaultPattern = ".heddle/traces/%n.htr";
/// Tells a program that it was started by a recorded one, so that it does not overwrite that one's trace.
char descendant_mark[] = "HEDDLE_DESCENDANT=1";

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
    current_settings.summary_path = std::getenv("HEDDLE_SUMMARY");
    const char* pattern = std::getenv("HEDDLE_TRACE");
    current_settings.trace_pattern = pattern != nullptr && *pattern != 0 ? pattern : kDefaultPattern;
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
