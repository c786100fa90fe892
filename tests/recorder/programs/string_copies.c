/* Functions that copy and compare strings, each as it is in the library. */
// flags: -fno-builtin
// ignores: heap
#include "program.h"

#include <string.h>
#include <strings.h>

char from[8] __attribute__((aligned(8))) = "seven77";
char to[8] __attribute__((aligned(8)));

static void *run(void *unused) {
    (void)unused;
    check(stpcpy(to, from) == to + 7);       //: T1 r8(from) =0x0037376e65766573; T1 w8(to) =0x0037376e65766573
    to[3] = 0;                               //: T1 w1(to+3) =0
    strcat(to, from + 5);                    //: T1 r4(to) =0x00766573; T1 r3(from+5) =0x003737; T1 w3(to+3) =0x003737
    strncat(to, from, 1);                    //: T1 r6(to) =0x003737766573; T1 r1(from) =0x73; T1 w2(to+5) =0x0073
    check(strncmp(to, from, 3) == 0);        //: T1 r3(to) =0x766573; T1 r3(from) =0x766573
    check(strcasecmp(to, from) != 0);        //: T1 r4(to) =0x37766573; T1 r4(from) =0x65766573
    check(strncasecmp(to, from, 2) == 0);    //: T1 r2(to) =0x6573; T1 r2(from) =0x6573
    check(mempcpy(to, from, 8) == to + 8);   //: T1 r8(from) =0x0037376e65766573; T1 w8(to) =0x0037376e65766573
    check(bcmp(to, from, 8) == 0);           //: T1 r8(to) =0x0037376e65766573; T1 r8(from) =0x0037376e65766573
    char *copy = strdup(from);               //: T1 r8(from) =0x0037376e65766573
    free(copy);
    copy = strndup(from, 4);                 //: T1 r4(from) =0x65766573
    free(copy);
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
