// Functions that the recorder has nothing to say about, but that exist in several versions in the C library.
// A program that was linked with ThreadSanitizer's library names them without a version, because that library
// has them too; left to itself, the loader would give it the oldest.
#include "traces/recorder/export.h"
#include "traces/recorder/real_functions.h"

using namespace heddle::recorder;

HEDDLE_EXPORT char* realpath(const char* path, char* resolved) noexcept {
    return real().realpath(path, resolved);
}
HEDDLE_EXPORT int glob(const char* pattern, int flags, int (*failed)(const char*, int),
                       glob_t* found) noexcept {
    return real().glob(pattern, flags, failed, found);
}
HEDDLE_EXPORT int regexec(const regex_t* expression, const char* text, std::size_t count, regmatch_t* matches,
                          int flags) noexcept {
    return real().regexec(expression, text, count, matches, flags);
}
HEDDLE_EXPORT FILE* fmemopen(void* memory, std::size_t bytes, const char* mode) noexcept {
    return real().fmemopen(memory, bytes, mode);
}
HEDDLE_EXPORT int pthread_kill(pthread_t thread, int signal) noexcept {
    return real().pthread_kill(thread, signal);
}
HEDDLE_EXPORT int sched_getaffinity(pid_t process, std::size_t bytes, cpu_set_t* set) noexcept {
    return real().sched_getaffinity(process, bytes, set);
}
