// A race that hides behind a lock: the reader came to the lock after the writer, so in this run everything
// before the one is ordered before everything after the other. Nothing says that it has to be so.
//
// threads: loader, viewer
//
// bug: race on 'document'
//   write `document` in load [load], holding nothing
//   read `document` in view [view], holding nothing
//   because the lock is for the status line only: the viewer may have been there first
#include "sample.h"

#include <threads.h>

static long document;
static struct {
    mtx_t mutex;
    const char* text;
} status_line;

static NOINLINE void show(const char* text) {
    mtx_lock(&status_line.mutex);
    status_line.text = text;
    mtx_unlock(&status_line.mutex);
}

static NOINLINE void load(void) {
    document = 7; // [load]
    show("loaded");
}

static NOINLINE long view(void) {
    show("viewing");
    return document; // [view]
}

static int loader(void* unused) {
    (void)unused;
    name_thread("loader");
    load();
    return 0;
}

static int viewer(void* unused) {
    (void)unused;
    name_thread("viewer");
    work();
    return view() == 7 ? CLEAN_RUN : RARE_ORDER;
}

int main(void) {
    thrd_t loading, viewing;
    int result;
    check(mtx_init(&status_line.mutex, mtx_plain) == thrd_success);
    check(thrd_create(&loading, loader, NULL) == thrd_success);
    check(thrd_create(&viewing, viewer, NULL) == thrd_success);
    check(thrd_join(loading, NULL) == thrd_success);
    check(thrd_join(viewing, &result) == thrd_success);
    return result;
}
