/* What lies in a heap block says so: small blocks, large ones, locks, and what is a block no more. */
// block: heap1 = 48 bytes by make_item < main, freed by main
// block: heap2 = 4000 bytes by make_room < main, freed by main
// block: unnamed = 48 bytes by make_item < main, freed by main
// block: global = none
#include "program.h"

struct item {
    pthread_mutex_t lock;
    long value;
};
long global;
long *room;

static __attribute__((noinline)) struct item *make_item(void) {
    struct item *item = malloc(sizeof *item);
    check(item != NULL);
    check(pthread_mutex_init(&item->lock, NULL) == 0);
    return item;
}
static __attribute__((noinline)) void make_room(void) {
    room = calloc(500, sizeof *room); //: T0 w8(room)
}

static void *run(void *given) {
    struct item *item = given;
    pthread_mutex_lock(&item->lock);   //: T1 acq(unnamed)
    item->value = 1;                   //: T1 w8(heap1) =1
    pthread_mutex_unlock(&item->lock); //: T1 rel(unnamed)
    room[499] = 2;                     //: T1 r8(room); T1 w8(heap2) =2
    global = 3;                        //: T1 w8(global) =3
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct item *item = make_item();
    make_room();
    check(pthread_create(&thread, NULL, run, item) == 0); //: T0/1 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0/1 join(T1)
    use(item->value);                                     //: T0/1 r8(heap1) =1
    use(room[499]);                                       //: T0/1 r8(room); T0/1 r8(heap2) =2
    use(global);                                          //: T0/1 r8(global) =3
    free(item);
    free(room); //: T0/1 r8(room)
    return 0;
}
