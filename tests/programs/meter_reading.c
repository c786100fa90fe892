// Electricity meter: a reading is taken and billed as one job. The meter is locked for looking at it and for
// setting it back, and let go in between, while the bill is written: a correction that comes there is lost.
//
// threads: reader, correction
//
// bug: atomicity RWW on 'meter.units'
//   read `meter.units` in read_meter [read], holding 'job', 'meter.mutex'
//   write `meter.units` in correct [correct], holding 'meter.mutex'
//   write `meter.units` in read_meter [reset], holding 'job', 'meter.mutex'
//   because the correction takes meter.mutex, but not the job
// not a bug: race on 'meter.units'
//   read `meter.units` in read_meter [read], holding 'job', 'meter.mutex'
//   write `meter.units` in correct [correct], holding 'meter.mutex'
//   because both hold meter.mutex
#include "sample.h"

static pthread_mutex_t job = PTHREAD_MUTEX_INITIALIZER; // what happens under it is meant to be one reading

static struct {
    pthread_mutex_t mutex;
    int units;
} meter = {PTHREAD_MUTEX_INITIALIZER, 70};

static int billed;

static NOINLINE void read_meter(void) {
    pthread_mutex_lock(&job);
    pthread_mutex_lock(&meter.mutex);
    const int units = meter.units; // [read]
    pthread_mutex_unlock(&meter.mutex);
    billed += units;
    pthread_mutex_lock(&meter.mutex);
    meter.units = 0; // [reset]
    pthread_mutex_unlock(&meter.mutex);
    pthread_mutex_unlock(&job);
}

static NOINLINE void correct(int units) {
    pthread_mutex_lock(&meter.mutex);
    meter.units = units; // [correct]
    pthread_mutex_unlock(&meter.mutex);
}

static void* reader(void* unused) {
    (void)unused;
    name_thread("reader");
    read_meter();
    return NULL;
}

static void* correction(void* unused) {
    (void)unused;
    name_thread("correction");
    work();
    correct(80);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    check(pthread_create(&threads[0], NULL, reader, NULL) == 0);
    check(pthread_create(&threads[1], NULL, correction, NULL) == 0);
    for (int i = 0; i < 2; ++i) check(pthread_join(threads[i], NULL) == 0);
    if (meter.units == 0 && billed == 70) return WRONG_RESULT;
    return billed == 70 ? CLEAN_RUN : RARE_ORDER;
}
