// Hand-over-hand list: who walks along it takes the lock of the next node before giving back that of the last
// one. The locks are not nested.
//
// threads: walker
//
// not a bug: race on 'nodes[*].visits'
//   write `node->visits` in walk [visit], holding 'nodes[*].mutex'
//   write `node->visits` in walk [visit], holding 'nodes[*].mutex'
//   because both hold the node's mutex
// not a bug: deadlock
//   asks for 'nodes[1].mutex' by `next->mutex` in walk [next],
//     holding 'nodes[0].mutex' since `node->mutex` [first]
//   asks for 'nodes[2].mutex' by `next->mutex` in walk [next],
//     holding 'nodes[1].mutex' since `next->mutex` [next]
//   because everybody walks in the same direction
#include "sample.h"

enum { NODES = 4, WALKERS = 2 };

struct node {
    pthread_mutex_t mutex;
    struct node* next;
    long visits;
};

static struct node nodes[NODES] = {
    {PTHREAD_MUTEX_INITIALIZER, &nodes[1], 0},
    {PTHREAD_MUTEX_INITIALIZER, &nodes[2], 0},
    {PTHREAD_MUTEX_INITIALIZER, &nodes[3], 0},
    {PTHREAD_MUTEX_INITIALIZER, NULL, 0},
};

static NOINLINE void walk(void) {
    struct node* node = &nodes[0];
    pthread_mutex_lock(&node->mutex); // [first]
    while (node != NULL) {
        node->visits += 1; // [visit]
        struct node* next = node->next;
        if (next != NULL) pthread_mutex_lock(&next->mutex); // [next]
        pthread_mutex_unlock(&node->mutex);
        node = next;
    }
}

static void* walker(void* unused) {
    (void)unused;
    name_thread("walker");
    walk();
    return NULL;
}

int main(void) {
    pthread_t threads[WALKERS];
    for (int i = 0; i < WALKERS; ++i) check(pthread_create(&threads[i], NULL, walker, NULL) == 0);
    for (int i = 0; i < WALKERS; ++i) check(pthread_join(threads[i], NULL) == 0);
    return nodes[0].visits == WALKERS && nodes[3].visits == WALKERS ? CLEAN_RUN : WRONG_RESULT;
}
