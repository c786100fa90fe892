// Ray tracer: two renderers add their rows to one checksum, each under a lock. It is not the same lock.
//
// threads: renderer
//
// bug: race on 'checksum'
//   update `checksum` in add_row [add], holding 'renderers[0].mutex'
//   update `checksum` in add_row [add], holding 'renderers[1].mutex'
//   because each renderer locks itself
// no witness: atomicity RWW on 'checksum'
//   read `checksum` in add_row [add], holding 'renderers[*].mutex'
//   write `checksum` in add_row [add], holding 'renderers[*].mutex'
//   write `checksum` in add_row [add], holding 'renderers[*].mutex'
//   because the other renderer would have read another checksum than it did
#include "sample.h"

enum { RENDERERS = 2 };

static struct renderer {
    pthread_mutex_t mutex;
    long rows;
} renderers[RENDERERS] = {{PTHREAD_MUTEX_INITIALIZER, 1}, {PTHREAD_MUTEX_INITIALIZER, 3}};

static long checksum;

static NOINLINE void add_row(struct renderer* renderer, long row) {
    pthread_mutex_lock(&renderer->mutex);
    checksum += row; // [add]
    pthread_mutex_unlock(&renderer->mutex);
}

static void* render(void* renderer) {
    struct renderer* own = (struct renderer*)renderer;
    name_thread("renderer");
    for (long i = 0; i < own->rows; ++i) work();
    add_row(own, own->rows);
    return NULL;
}

int main(void) {
    pthread_t threads[RENDERERS];
    for (int i = 0; i < RENDERERS; ++i) check(pthread_create(&threads[i], NULL, render, &renderers[i]) == 0);
    for (int i = 0; i < RENDERERS; ++i) check(pthread_join(threads[i], NULL) == 0);
    return checksum == 4 ? CLEAN_RUN : WRONG_RESULT;
}
