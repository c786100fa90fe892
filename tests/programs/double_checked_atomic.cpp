// Double-checked initialisation as it should be: the pointer is atomic, published with release and read with
// acquire.
//
// threads: first, second
//
// not a bug: race on memory of [allocate] + 0
//   write `timeout` in make_settings [fill], holding 'settings_mutex'
//   read `timeout` in wait_for [use], holding nothing
//   because who acquires the pointer comes after its release
#include "sample.h"

#include <atomic>
#include <mutex>
#include <thread>

struct Settings {
    long timeout;
};

static std::atomic<Settings*> settings;
static std::mutex settings_mutex;

NOINLINE static Settings* make_settings() {
    auto* made = static_cast<Settings*>(malloc(sizeof(Settings))); // [allocate]
    made->timeout = 30;                                            // [fill]
    return made;
}

NOINLINE static Settings* get_settings() {
    Settings* found = settings.load(std::memory_order_acquire);
    if (found != nullptr) return found;
    const std::lock_guard<std::mutex> lock(settings_mutex);
    found = settings.load(std::memory_order_acquire);
    if (found == nullptr) {
        found = make_settings();
        settings.store(found, std::memory_order_release);
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
    free(settings.load());
    return CLEAN_RUN;
}
