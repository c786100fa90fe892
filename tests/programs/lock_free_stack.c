// Lock-free stack: nodes are linked in and taken off by compare-and-swap. No node is used twice, so that a
// top that looks the same is the same.
//
// threads: pusher, popper
//
// not a bug: race on 'nodes[*].value'
//   write `node->value` in push [value], holding nothing
//   read `node->value` in pop [use], holding nothing
//   because the node is published with release and found with acquire
// not a bug: race on 'nodes[*].next'
//   write `node->next` in push [link], holding nothing
//   read `node->next` in pop [follow], holding nothing
//   because the node is published with release and found with acquire
#include "sample.h"

#include <stdatomic.h>

enum { ITEMS = 4 };

struct node {
    struct node* next;
    long value;
};

static struct node nodes[ITEMS];
static struct node* _Atomic top;

static NOINLINE void push(struct node* node, long value) {
    struct node* below = atomic_load_explicit(&top, memory_order_relaxed);
    node->value = value; // [value]
    do {
        node->next = below; // [link]
    } while (!atomic_compare_exchange_weak_explicit(&top, &below, node, memory_order_release,
                                                    memory_order_relaxed));
}

static NOINLINE long pop(void) {
    struct node* node = atomic_load_explicit(&top, memory_order_acquire);
    while (node != NULL) {
        struct node* below = node->next; // [follow]
        if (atomic_compare_exchange_weak_explicit(&top, &node, below, memory_order_acquire,
                                                  memory_order_acquire))
            return node->value; // [use]
    }
    return 0;
}

static void* pusher(void* unused) {
    (void)unused;
    name_thread("pusher");
    for (long i = 0; i < ITEMS; ++i) push(&nodes[i], i + 1);
    return NULL;
}

static void* popper(void* sum) {
    name_thread("popper");
    work();
    for (int i = 0; i < ITEMS; ++i) *(long*)sum += pop();
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    long sums[2] = {0};
    check(pthread_create(&threads[0], NULL, pusher, NULL) == 0);
    check(pthread_create(&threads[1], NULL, popper, &sums[0]) == 0);
    check(pthread_create(&threads[2], NULL, popper, &sums[1]) == 0);
    for (int i = 0; i < 3; ++i) check(pthread_join(threads[i], NULL) == 0);
    for (long left; (left = pop()) != 0;) sums[0] += left;
    return sums[0] + sums[1] == ITEMS * (ITEMS + 1) / 2 ? CLEAN_RUN : WRONG_RESULT;
}
