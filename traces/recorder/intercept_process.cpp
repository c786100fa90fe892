// The process as a whole: fork, exec, and ends that run no destructors.
#include "traces/recorder/interception.h"
#include "traces/recorder/modules.h"
#include "traces/recorder/process.h"

#include <cstdarg>

#include <unistd.h>

using namespace heddle::recorder;

namespace {

/// The arguments of execl and its kin as an array, on the stack: after vfork nothing else is safe.
template<typename Run>
int with_arguments(const char* first, va_list rest, Run&& run) {
    va_list counting;
    va_copy(counting, rest);
    std::size_t count = 1;
    while (va_arg(counting, char*) != nullptr) ++count;
    va_end(counting);
    auto** arguments = static_cast<char**>(__builtin_alloca((count + 1) * sizeof(char*)));
    arguments[0] = const_cast<char*>(first);
    for (std::size_t i = 1; i <= count; ++i) arguments[i] = va_arg(rest, char*);
    return run(arguments, rest);
}

int run_program(const char* path, char* const* arguments, char* const* environment) {
    before_exec();
    return after_failed_exec(real().execve(path, arguments, environment));
}
int run_on_path(const char* file, char* const* arguments, char* const* environment) {
    before_exec();
    return after_failed_exec(real().execvpe(file, arguments, environment));
}

} // namespace

HEDDLE_EXPORT pid_t fork() noexcept {
    before_fork();
    const pid_t child = real().fork();
    after_fork(child == 0);
    return child;
}
/// A child that shares the parent's memory would write into the parent's trace: it gets a copy.
HEDDLE_EXPORT pid_t vfork() noexcept {
    return fork();
}

HEDDLE_EXPORT int execve(const char* path, char* const* arguments, char* const* environment) noexcept {
    return run_program(path, arguments, environment);
}
HEDDLE_EXPORT int execv(const char* path, char* const* arguments) noexcept {
    return run_program(path, arguments, environ);
}
HEDDLE_EXPORT int execvp(const char* file, char* const* arguments) noexcept {
    return run_on_path(file, arguments, environ);
}
HEDDLE_EXPORT int execvpe(const char* file, char* const* arguments, char* const* environment) noexcept {
    return run_on_path(file, arguments, environment);
}
HEDDLE_EXPORT int fexecve(int file, char* const* arguments, char* const* environment) noexcept {
    before_exec();
    return after_failed_exec(real().fexecve(file, arguments, environment));
}
HEDDLE_EXPORT int execveat(int folder, const char* path, char* const* arguments, char* const* environment,
                           int flags) noexcept {
    before_exec();
    return after_failed_exec(real().execveat(folder, path, arguments, environment, flags));
}
HEDDLE_EXPORT int execl(const char* path, const char* first, ...) noexcept {
    va_list rest;
    va_start(rest, first);
    const int result = with_arguments(
        first, rest, [&](char** arguments, va_list) { return run_program(path, arguments, environ); });
    va_end(rest);
    return result;
}
HEDDLE_EXPORT int execlp(const char* file, const char* first, ...) noexcept {
    va_list rest;
    va_start(rest, first);
    const int result = with_arguments(
        first, rest, [&](char** arguments, va_list) { return run_on_path(file, arguments, environ); });
    va_end(rest);
    return result;
}
HEDDLE_EXPORT int execle(const char* path, const char* first, ...) noexcept {
    va_list rest;
    va_start(rest, first);
    const int result = with_arguments(first, rest, [&](char** arguments, va_list after) {
        return run_program(path, arguments, va_arg(after, char**));
    });
    va_end(rest);
    return result;
}

HEDDLE_EXPORT void _exit(int status) {
    end_process(status & 0xFF);
    real()._exit(status);
    __builtin_unreachable();
}
HEDDLE_EXPORT void _Exit(int status) noexcept {
    _exit(status);
}
/// Every program has its own from the C library, except those that were linked with ThreadSanitizer's
/// library, which has one as well.
HEDDLE_EXPORT int atexit(void (*handler)()) noexcept {
    const auto call = [](void* function) { reinterpret_cast<void (*)()>(function)(); };
    return real().__cxa_atexit(call, reinterpret_cast<void*>(handler), nullptr);
}

HEDDLE_EXPORT int dlclose(void* library) noexcept {
    const ThreadState* state = recorded_thread();
    if (state != nullptr) remember_modules();
    const int result = real().dlclose(library);
    if (state != nullptr) forget_unloaded_memory();
    return result;
}
