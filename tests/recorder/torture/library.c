/* What loads_library loads. */
#include "../programs/program.h"

int in_library;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void library_step(void);
void library_step(void) {
    pthread_mutex_lock(&m);
    in_library++;
    pthread_mutex_unlock(&m);
}
