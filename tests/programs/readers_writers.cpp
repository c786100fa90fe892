// Readers and writers: a cache is read under a shared lock. Looking a key up remembers it; that is a write,
// and readers do not exclude each other.
//
// threads: reader, writer
//
// bug: race on 'cache.last_key'
//   write `last_key` in Cache::look_up [remember], holding 'cache.mutex' (shared)
//   write `last_key` in Cache::look_up [remember], holding 'cache.mutex' (shared)
//   because both readers hold cache.mutex only shared
// not a bug: race on 'cache.values[*]'
//   read `values` in Cache::look_up [read], holding 'cache.mutex' (shared)
//   write `values` in Cache::store [write], holding 'cache.mutex'
//   because a writer excludes readers
#include "sample.h"

#include <mutex>
#include <shared_mutex>
#include <thread>

struct Cache {
    std::shared_mutex mutex;
    long values[4] = {};
    long last_key = -1;

    NOINLINE long look_up(long key) {
        const std::shared_lock<std::shared_mutex> lock(mutex);
        last_key = key;     // [remember]
        return values[key]; // [read]
    }

    NOINLINE void store(long key, long value) {
        const std::unique_lock<std::shared_mutex> lock(mutex);
        values[key] = value; // [write]
    }
};

static Cache cache;

static void reader(long key) {
    name_thread("reader");
    check(cache.look_up(key) >= 0);
}

static void writer() {
    name_thread("writer");
    cache.store(1, 10);
    cache.store(2, 20);
}

int main() {
    std::thread threads[] = {std::thread(writer), std::thread(reader, 1), std::thread(reader, 2)};
    for (std::thread& thread : threads) thread.join();
    return CLEAN_RUN;
}
