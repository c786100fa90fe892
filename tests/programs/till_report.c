// Cash register: a sale is counted with the till locked, and printed on the roll, which has a lock of its own,
// before the till is unlocked. The report of the day holds the roll and looks at the takings without the
// till's lock. To take it there is the obvious correction, and would let the two wait for each other.
//
// threads: cashier, report
//
// bug: race on 'till.takings'
//   write `till.takings` in sell [sell], holding 'till.mutex'
//   read `till.takings` in print_report [report], holding 'roll.mutex'
//   because the report does not take till.mutex
// not a bug: race on 'roll.lines'
//   write `roll.lines` in print_line [print], holding 'till.mutex', 'roll.mutex'
//   write `roll.lines` in print_report [print-report], holding 'roll.mutex'
//   because both hold roll.mutex
#include "sample.h"

static struct {
    pthread_mutex_t mutex;
    long takings;
} till = {PTHREAD_MUTEX_INITIALIZER, 0};

static struct {
    pthread_mutex_t mutex;
    int lines;
} roll = {PTHREAD_MUTEX_INITIALIZER, 0};

static NOINLINE void print_line(void) {
    pthread_mutex_lock(&roll.mutex);
    const int lines = roll.lines + 1;
    roll.lines = lines; // [print]
    pthread_mutex_unlock(&roll.mutex);
}

static NOINLINE void sell(long price) {
    pthread_mutex_lock(&till.mutex);
    const long takings = till.takings + price;
    till.takings = takings; // [sell]
    print_line();
    pthread_mutex_unlock(&till.mutex);
}

static NOINLINE long print_report(void) {
    pthread_mutex_lock(&roll.mutex);
    const long takings = till.takings; // [report]
    const int lines = roll.lines + 1;
    roll.lines = lines; // [print-report]
    pthread_mutex_unlock(&roll.mutex);
    return takings;
}

static void* cashier(void* unused) {
    (void)unused;
    name_thread("cashier");
    for (int i = 0; i < 3; ++i) sell(5);
    return NULL;
}

static void* report(void* unused) {
    (void)unused;
    name_thread("report");
    work();
    check(print_report() >= 0);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    check(pthread_create(&threads[0], NULL, cashier, NULL) == 0);
    check(pthread_create(&threads[1], NULL, report, NULL) == 0);
    for (int i = 0; i < 2; ++i) check(pthread_join(threads[i], NULL) == 0);
    return till.takings == 15 && roll.lines == 4 ? CLEAN_RUN : WRONG_RESULT;
}
