// Use after free: a reaper closes and frees an idle session that the server still touches. Nearly always the
// server is quicker.
//
// threads: reaper
//
// bug: race on memory of [open] + 16
//   read `session->is_open` in touch [check], holding nothing
//   write `session->is_open` in close_session [close], holding nothing
//   because nothing tells the reaper that the server still has the session
// bug: race on memory of [open] + 24
//   write `session->last_seen` in touch [touch], holding nothing
//   read `session->last_seen` in close_session [report], holding nothing
//   because nothing tells the reaper that the server still has the session; once it is freed,
//   touch writes to memory that belongs to somebody else
#include "sample.h"

#include <unistd.h>

struct session {
    char peer[16];
    long is_open;
    long last_seen;
};

static NOINLINE int touch(struct session* session, long now) {
    if (session->is_open == 0) return 0; // [check]
    session->last_seen = now;            // [touch]
    return 1;
}

static NOINLINE long close_session(struct session* session) {
    session->is_open = 0;                      // [close]
    const long last_seen = session->last_seen; // [report]
    check(getppid() >= 0); // what is logged here; or the compiler leaves out the write to what it sees freed
    free(session);
    return last_seen;
}

static void* reap(void* session) {
    name_thread("reaper");
    work();
    return (void*)close_session((struct session*)session);
}

int main(void) {
    pthread_t reaper;
    void* last_seen;
    struct session* session = (struct session*)calloc(1, sizeof(struct session)); // [open]
    session->is_open = 1;
    check(pthread_create(&reaper, NULL, reap, session) == 0);
    const int touched = touch(session, 42);
    check(pthread_join(reaper, &last_seen) == 0);
    return touched && (long)last_seen == 42 ? CLEAN_RUN : RARE_ORDER;
}
