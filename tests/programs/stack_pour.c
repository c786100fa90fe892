// Two stacks, all of whose functions lock. To pour one into the other asks whether there is an item, and then
// takes it: somebody may have emptied the stack in between.
//
// threads: emptier
//
// bug: atomicity RWR on 'source.count'
//   read `stack->count` in is_empty [ask], holding 'target.mutex', 'source.mutex'
//   write `stack->count` in clear [clear], holding 'source.mutex'
//   read `stack->count` in pop [top], holding 'target.mutex', 'source.mutex'
//   because pouring holds its own lock all the time, but not the other stack's
// no witness: atomicity RWW on 'source.count'
//   read `stack->count` in is_empty [ask], holding 'target.mutex', 'source.mutex'
//   write `stack->count` in clear [clear], holding 'source.mutex'
//   write `stack->count` in pop [shrink], holding 'target.mutex', 'source.mutex'
//   because pop would have read another count before it wrote one
// not a bug: race on 'source.count'
//   read `stack->count` in is_empty [ask], holding 'target.mutex', 'source.mutex'
//   write `stack->count` in clear [clear], holding 'source.mutex'
//   because both hold source.mutex
#include "sample.h"

struct stack {
    pthread_mutex_t mutex;
    long count;
    long items[4];
};

static struct stack source = {PTHREAD_MUTEX_INITIALIZER, 1, {7}};
static struct stack target = {PTHREAD_MUTEX_INITIALIZER, 0, {0}};

static NOINLINE int is_empty(struct stack* stack) {
    pthread_mutex_lock(&stack->mutex);
    const int empty = stack->count == 0; // [ask]
    pthread_mutex_unlock(&stack->mutex);
    return empty;
}

static NOINLINE long item_at(const struct stack* stack, long index) {
    return index < 0 ? -1 : stack->items[index];
}

// The item on top; -1 if there is none.
static NOINLINE long pop(struct stack* stack) {
    pthread_mutex_lock(&stack->mutex);
    const long top = stack->count - 1; // [top]
    const long item = item_at(stack, top);
    stack->count = top; // [shrink]
    pthread_mutex_unlock(&stack->mutex);
    return item;
}

static NOINLINE void clear(struct stack* stack) {
    pthread_mutex_lock(&stack->mutex);
    stack->count = 0; // [clear]
    pthread_mutex_unlock(&stack->mutex);
}

// What was on top of the one is on top of the other; -1 if there was nothing, against what it said.
static NOINLINE long pour(struct stack* from, struct stack* to) {
    long item = 0;
    pthread_mutex_lock(&to->mutex);
    if (!is_empty(from)) {
        item = pop(from);
        to->items[to->count++] = item;
    }
    pthread_mutex_unlock(&to->mutex);
    return item;
}

static void* empty(void* unused) {
    (void)unused;
    name_thread("emptier");
    work();
    clear(&source);
    return NULL;
}

int main(void) {
    pthread_t emptier;
    check(pthread_create(&emptier, NULL, empty, NULL) == 0);
    const long poured = pour(&source, &target);
    check(pthread_join(emptier, NULL) == 0);
    if (poured < 0) return WRONG_RESULT;
    return poured == 7 ? CLEAN_RUN : RARE_ORDER;
}
