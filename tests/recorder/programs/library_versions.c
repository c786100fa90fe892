/* Functions of which the C library has several versions: the program gets the newest, as it would without a recorder. */
#include "program.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&m);           //: T0 acq(m)
    char *here = realpath(".", NULL); // the oldest version refuses NULL
    check(here != NULL);
    free(here);
    pthread_mutex_unlock(&m); //: T0 rel(m)
    return 0;
}
