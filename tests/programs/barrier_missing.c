// Phases with a barrier: the parts of a sum are added up behind a barrier, by every thread for itself. Then
// the leader clears its part for the next round, and nobody made sure that the others have read it.
//
// threads: leader, follower
//
// bug: race on 'parts[0]'
//   read `parts[0]` in add_up [add], holding nothing
//   write `parts[0]` in clear [clear], holding nothing
//   because the barrier between adding up and clearing is missing
// not a bug: race on 'parts[0]'
//   write `parts[0]` in contribute [contribute], holding nothing
//   read `parts[0]` in add_up [add], holding nothing
//   because all_there lies between
#include "sample.h"

static long parts[2]; // which Clang makes two variables of
static pthread_barrier_t all_there;

static NOINLINE void contribute(void) {
    parts[0] = 40; // [contribute]
}

static NOINLINE long add_up(void) {
    return parts[0] + parts[1]; // [add]
}

static NOINLINE void clear(void) {
    parts[0] = 0; // [clear]
}

static void* lead(void* unused) {
    (void)unused;
    name_thread("leader");
    contribute();
    pthread_barrier_wait(&all_there);
    const long sum = add_up();
    work();
    clear();
    return (void*)sum;
}

static void* follow(void* unused) {
    (void)unused;
    name_thread("follower");
    parts[1] = 2;
    pthread_barrier_wait(&all_there);
    return (void*)add_up();
}

int main(void) {
    pthread_t leader, follower;
    void *first, *second;
    check(pthread_barrier_init(&all_there, NULL, 2) == 0);
    check(pthread_create(&leader, NULL, lead, NULL) == 0);
    check(pthread_create(&follower, NULL, follow, NULL) == 0);
    check(pthread_join(leader, &first) == 0);
    check(pthread_join(follower, &second) == 0);
    return first == second ? CLEAN_RUN : WRONG_RESULT;
}
