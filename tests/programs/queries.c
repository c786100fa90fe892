// Shared database: clients query and store under its lock. One that finds nothing looks, without the lock, at
// how many records there are; as a rule every client finds what it asks for.
//
// threads: reader, writer
//
// bug: race on 'base.count'
//   write `base.count` in store [store], holding 'base.mutex'
//   read `base.count` in explain [explain], holding nothing
//   because who explains why nothing was found does not take base.mutex
// not a bug: race on 'base.records[*]'
//   write `base.records` in store [record], holding 'base.mutex'
//   read `base.records` in query [query], holding 'base.mutex'
//   because both hold base.mutex
#include "sample.h"

enum { RECORDS = 4, UNKNOWN = 99 };

static struct {
    pthread_mutex_t mutex;
    int count;
    int records[RECORDS];
} base = {PTHREAD_MUTEX_INITIALIZER, 2, {10, 20}};

static NOINLINE void store(int record) {
    pthread_mutex_lock(&base.mutex);
    const int at = base.count;
    base.records[at] = record; // [record]
    base.count = at + 1;       // [store]
    pthread_mutex_unlock(&base.mutex);
}

static NOINLINE int query(int record) {
    int is_there = 0;
    pthread_mutex_lock(&base.mutex);
    for (int i = 0; i < base.count; ++i) is_there |= base.records[i] == record; // [query]
    pthread_mutex_unlock(&base.mutex);
    return is_there;
}

static NOINLINE int explain(void) {
    return base.count; // [explain]
}

static void* read_records(void* unused) {
    (void)unused;
    name_thread("reader");
    check(query(10));
    return (void*)(long)(query(UNKNOWN) ? 0 : explain());
}

static void* write_records(void* unused) {
    (void)unused;
    name_thread("writer");
    work();
    check(query(20));
    store(30);
    return NULL;
}

int main(void) {
    pthread_t reader, writer;
    void* count;
    check(pthread_create(&reader, NULL, read_records, NULL) == 0);
    check(pthread_create(&writer, NULL, write_records, NULL) == 0);
    check(pthread_join(reader, &count) == 0);
    check(pthread_join(writer, NULL) == 0);
    return count == (void*)2 ? CLEAN_RUN : RARE_ORDER;
}
