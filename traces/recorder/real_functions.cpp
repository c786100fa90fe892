#include "traces/recorder/real_functions.h"

#include "traces/recorder/raw_system_call.h"

#include <cstring>

#include <dlfcn.h>

namespace heddle::recorder {

constinit RealFunctions real_table;
constinit bool real_table_ready = false;

namespace {

/// Condition variables changed their layout once, and a plain look-up may give the old functions.
constexpr const char* kConditionVersion = "GLIBC_2.3.2";

/// Without the C library's functions, which are being looked up.
bool starts_with(const char* text, const char* prefix) {
    while (*prefix != 0 && *text == *prefix) ++text, ++prefix;
    return *prefix == 0;
}

void* look_up(const char* name) {
    if (starts_with(name, "pthread_cond_")) {
        if (void* found = ::dlvsym(RTLD_NEXT, name, kConditionVersion); found != nullptr) return found;
    }
    if (void* found = ::dlsym(RTLD_NEXT, name); found != nullptr) return found;
    // When only a library of the program is instrumented, the C library comes before the recorder.
    void* first = ::dlsym(RTLD_DEFAULT, name);
    Dl_info there{};
    Dl_info here{};
    if (first == nullptr || ::dladdr(first, &there) == 0 ||
        ::dladdr(static_cast<const void*>(&real_table), &here) == 0)
        return nullptr;
    return there.dli_fbase == here.dli_fbase ? nullptr : first;
}

template<typename Function>
void resolve(Function& function, const char* name) {
    void* found = look_up(name);
    std::memcpy(&function, &found, sizeof(found));
}

/// Two runtimes for the same callbacks would each see a part of what happens.
void refuse_other_runtime() noexcept {
    dl_find_object own{};
    dl_find_object first{};
    void* callback = ::dlsym(RTLD_DEFAULT, "__tsan_func_entry");
    const bool is_ours = ::_dl_find_object(reinterpret_cast<void*>(&refuse_other_runtime), &own) == 0 &&
                         ::_dl_find_object(callback, &first) == 0 && own.dlfo_link_map == first.dlfo_link_map;
    if (is_ours && ::dlsym(RTLD_NEXT, "__tsan_func_entry") == nullptr) return;
    static constexpr char kMessage[] =
        "[heddle] ThreadSanitizer's own runtime is loaded in this process as well. Link the program with "
        "Heddle's recorder instead of it (see docs/recording.md).\n";
    ::syscall(SYS_write, STDERR_FILENO, kMessage, sizeof(kMessage) - 1);
    raw_exit(2);
}

} // namespace

void resolve_real_functions() noexcept {
    static bool resolving = false;
    if (resolving) return; // dlsym() allocates: malloc serves it from the recorder's own memory
    resolving = true;
    refuse_other_runtime();
#define HEDDLE_RESOLVE(result, name, parameters) resolve(real_table.name, #name);
    HEDDLE_REAL_FUNCTIONS(HEDDLE_RESOLVE)
#undef HEDDLE_RESOLVE
    real_table_ready = true;
}

} // namespace heddle::recorder
