// Copy of a vector: every member function locks. A copy asks the other vector for its length and then for its
// items, and somebody may change the length in between.
//
// threads: editor
//
// bug: atomicity RWR on 'source.size'
//   read `size` in Vector::length [length], holding 'target.mutex', 'source.mutex'
//   write `size` in Vector::resize [resize], holding 'source.mutex'
//   read `size` in Vector::copy_items [copy], holding 'target.mutex', 'source.mutex'
//   because the copy holds its own lock all the time, but not the other vector's
// not a bug: race on 'source.size'
//   read `size` in Vector::length [length], holding 'target.mutex', 'source.mutex'
//   write `size` in Vector::resize [resize], holding 'source.mutex'
//   because both hold source.mutex
#include "sample.h"

#include <mutex>
#include <thread>

struct Vector {
    std::mutex mutex;
    long size = 0;
    long items[4] = {};

    NOINLINE long length() {
        const std::lock_guard<std::mutex> lock(mutex);
        return size; // [length]
    }

    /// How many there were.
    NOINLINE long copy_items(long* to) {
        const std::lock_guard<std::mutex> lock(mutex);
        const long count = size; // [copy]
        for (long i = 0; i < count; ++i) to[i] = items[i];
        return count;
    }

    NOINLINE void resize(long count) {
        const std::lock_guard<std::mutex> lock(mutex);
        size = count; // [resize]
    }

    /// Whether the other vector had as many items as it said.
    NOINLINE bool assign(Vector& from) {
        const std::lock_guard<std::mutex> lock(mutex);
        size = from.length();
        return from.copy_items(items) == size;
    }
};

static Vector source;
static Vector target;

static void edit() {
    name_thread("editor");
    work();
    source.resize(2);
}

int main() {
    source.resize(3);
    std::thread editing(edit);
    const bool copied = target.assign(source);
    editing.join();
    if (!copied) return WRONG_RESULT;
    return target.size == 3 ? CLEAN_RUN : RARE_ORDER;
}
