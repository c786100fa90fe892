// Static initialisers: the compiler's own guard makes sure that `scale` is set up once and seen complete. The
// table is set up on first use as well, by hand, with a plain flag.
//
// threads: first, second
//
// bug: race on 'table_ready'
//   read `table_ready` in look_up [check], holding nothing
//   write `table_ready` in fill_table [done], holding nothing
//   because the flag is neither atomic nor under a lock
// no witness: race on 'table[*]'
//   write `table` in fill_table [fill], holding nothing
//   read `table` in look_up [use], holding nothing
//   because the second thread saw the flag, which was set after the table was filled
// not a bug: race on 'scale::value'
//   write `value` in scale [static], holding nothing
//   read `value` in scale [scale], holding nothing
//   because initialising a local static excludes other threads until it is done
#include "sample.h"

#include <thread>

static bool table_ready;
static long table[4];

NOINLINE static long compute_scale() {
    return 10;
}

NOINLINE static long scale() {
    static const long value = compute_scale(); // [static]
    return value;                              // [scale]
}

NOINLINE static void fill_table() {
    for (long i = 0; i < 4; ++i) table[i] = i * i; // [fill]
    table_ready = true;                            // [done]
}

NOINLINE static long look_up(long key, int* filled) {
    if (!table_ready) { // [check]
        fill_table();
        *filled += 1;
    }
    return table[key]; // [use]
}

static void use_first(int* filled) {
    name_thread("first");
    check(scale() * look_up(2, filled) == 40);
}

static void use_second(int* filled) {
    name_thread("second");
    work();
    check(scale() * look_up(3, filled) == 90);
}

int main() {
    int filled[2] = {};
    std::thread first(use_first, &filled[0]);
    std::thread second(use_second, &filled[1]);
    first.join();
    second.join();
    return filled[0] + filled[1] == 1 ? CLEAN_RUN : RARE_ORDER;
}
