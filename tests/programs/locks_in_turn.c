// Two tools lock a project and its index in opposite orders; but the one is started when the other is done.
//
// threads: indexer, exporter
//
// not a bug: deadlock
//   asks for 'index_lock' by `index_lock` in update_index [index-second],
//     holding 'project_lock' since `project_lock` [project-first]
//   asks for 'project_lock' by `project_lock` in export [project-second],
//     holding 'index_lock' since `index_lock` [index-first]
//   because main joins the indexer before it creates the exporter
#include "sample.h"

static pthread_mutex_t project_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t index_lock = PTHREAD_MUTEX_INITIALIZER;

static void* update_index(void* unused) {
    (void)unused;
    name_thread("indexer");
    pthread_mutex_lock(&project_lock); // [project-first]
    pthread_mutex_lock(&index_lock);   // [index-second]
    pthread_mutex_unlock(&index_lock);
    pthread_mutex_unlock(&project_lock);
    return NULL;
}

static void* export(void* unused) {
    (void)unused;
    name_thread("exporter");
    pthread_mutex_lock(&index_lock);   // [index-first]
    pthread_mutex_lock(&project_lock); // [project-second]
    pthread_mutex_unlock(&project_lock);
    pthread_mutex_unlock(&index_lock);
    return NULL;
}

int main(void) {
    pthread_t indexer, exporter;
    check(pthread_create(&indexer, NULL, update_index, NULL) == 0);
    check(pthread_join(indexer, NULL) == 0);
    check(pthread_create(&exporter, NULL, export, NULL) == 0);
    check(pthread_join(exporter, NULL) == 0);
    return CLEAN_RUN;
}
