/* Strings of seven letters: with the end, one variable. Only that main reads some of its bytes makes them shared. */
#include "program.h"

#include <string.h>

char from[8] __attribute__((aligned(8))) = "seven77";
char to[8] __attribute__((aligned(8)));

static void *run(void *unused) {
    char *volatile source = from;
    char *volatile target = to;
    (void)unused;
    check(strlen(source) == 7);              //: T1 r8(from) =0x0037376e65766573
    strcpy(target, source);                  //: T1 r8(from) =0x0037376e65766573; T1 w8(to) =0x0037376e65766573
    check(strcmp(target, source) == 0);      //: T1 r8(to) =0x0037376e65766573; T1 r8(from) =0x0037376e65766573
    check(strchr(source, 'n') == source + 4); //: T1 r5(from) =0x6e65766573
    strncpy(target, source, 4);              //: T1 r4(from) =0x65766573; T1 w4(to) =0x65766573
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    from[0] = 'S';                                        //: T0 w1(from) =0x53
    to[0] = 'T';                                          //: T0 w1(to) =0x54
    return 0;
}
