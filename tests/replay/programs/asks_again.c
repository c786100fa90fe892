// A thread waits for a condition with another lock held, and asks for the mutex again when it wakes up; a third one takes
// the two the other way round: a deadlock.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;
static sem_t about_to_wait;
static int ready;

static void* await(void* unused) {
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    sem_post(&about_to_wait);
    while (!ready) pthread_cond_wait(&told, &inner);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    return unused;
}
static void* tell(void* unused) {
    sem_wait(&about_to_wait);
    pthread_mutex_lock(&inner);
    ready = 1;
    pthread_cond_signal(&told);
    pthread_mutex_unlock(&inner);
    return unused;
}
static void* turn_round(void* unused) {
    pthread_mutex_lock(&inner);
    pthread_mutex_lock(&outer);
    pthread_mutex_unlock(&outer);
    pthread_mutex_unlock(&inner);
    return unused;
}

int main(void) {
    pthread_t waits, tells, turns;
    sem_init(&about_to_wait, 0, 0);
    pthread_create(&waits, NULL, await, NULL);
    pthread_create(&tells, NULL, tell, NULL);
    pthread_join(tells, NULL);
    pthread_create(&turns, NULL, turn_round, NULL);
    pthread_join(waits, NULL);
    return pthread_join(turns, NULL);
}
