// What the environment asks of the recorder (docs/recording.md, "Environment"). Read once, at start-up.
#pragma once

#include <cstdint>

namespace heddle::recorder {

struct Settings {
    bool enabled = true;        ///< false: run the program, record nothing
    bool values = true;         ///< HEDDLE_VALUES
    bool full = false;          ///< HEDDLE_FULL: no reduction
    bool quiet = false;         ///< HEDDLE_QUIET: nothing on stderr
    bool follow = true;         ///< HEDDLE_FOLLOW: children are recorded too
    bool replay = false;        ///< HEDDLE_REPLAY: follow a plan instead, record nothing
    bool descendant = false;    ///< a recorded process started this one
    std::uint64_t max_size = 0; ///< HEDDLE_MAX_SIZE in bytes; 0: no limit
    int summary_fd = -1;        ///< HEDDLE_SUMMARY_FD
    const char* summary_path = nullptr;
    const char* trace_pattern = nullptr;
    const char* program = ""; ///< the name of its file
};

extern Settings current_settings;
[[nodiscard]] inline const Settings& settings() noexcept {
    return current_settings;
}
void read_settings() noexcept;
/// In the child of a fork.
void become_descendant() noexcept;

} // namespace heddle::recorder
