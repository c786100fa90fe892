/* Functions that look for something in a string: how far they look, and what they look for. */
// flags: -fno-builtin
#include "program.h"

#include <string.h>

char text[8] __attribute__((aligned(8))) = "seven77";
char wanted[8] __attribute__((aligned(8))) = "n7";

static void *run(void *unused) {
    (void)unused;
    check(strnlen(text, 4) == 4);                //: T1 r4(text) =0x65766573
    check(strrchr(text, '7') == text + 6);       //: T1 r8(text) =0x0037376e65766573
    check(strchrnul(text, 'n') == text + 4);     //: T1 r5(text) =0x6e65766573
    check(strstr(text, wanted) == text + 4);     //: T1 r8(text) =0x0037376e65766573; T1 r3(wanted) =0x00376e
    check(strpbrk(text, wanted) == text + 4);    //: T1 r5(text) =0x6e65766573; T1 r3(wanted) =0x00376e
    check(strspn(text, wanted) == 0);            //: T1 r1(text) =0x73; T1 r3(wanted) =0x00376e
    check(strcspn(text, wanted) == 4);           //: T1 r5(text) =0x6e65766573; T1 r3(wanted) =0x00376e
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    text[0] = 'S';                                        //: T0 w1(text) =0x53
    wanted[0] = 'N';                                      //: T0 w1(wanted) =0x4e
    return 0;
}
