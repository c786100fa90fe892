// Double-checked initialisation with a plain pointer: the first look takes no lock.
//
// threads: first, second
//
// bug: race on 'settings'
//   read `settings` in get_settings [look], holding nothing
//   write `settings` in get_settings [publish], holding 'settings_mutex'
//   because the first look does not take settings_mutex, and the pointer is not atomic
// no witness: race on memory of [allocate] + 0
//   write `timeout` in make_settings [fill], holding 'settings_mutex'
//   read `timeout` in wait_for [use], holding nothing
//   because who sees the pointer comes after it was filled, as long as nobody reorders the two writes;
//   the compiler and the processor may
#include "sample.h"

#include <mutex>
#include <thread>

struct Settings {
    long timeout;
};

static Settings* settings;
static std::mutex settings_mutex;

NOINLINE static Settings* make_settings() {
    auto* made = static_cast<Settings*>(malloc(sizeof(Settings))); // [allocate]
    made->timeout = 30;                                            // [fill]
    return made;
}

NOINLINE static Settings* get_settings() {
    Settings* found = settings; // [look]
    if (found != nullptr) return found;
    const std::lock_guard<std::mutex> lock(settings_mutex);
    found = settings;
    if (found == nullptr) {
        found = make_settings();
        settings = found; // [publish]
    }
    return found;
}

NOINLINE static long wait_for() {
    return get_settings()->timeout; // [use]
}

static void use(const char* name) {
    name_thread(name);
    check(wait_for() == 30);
}

int main() {
    std::thread first(use, "first");
    std::thread second(use, "second");
    first.join();
    second.join();
    free(settings);
    return CLEAN_RUN;
}
