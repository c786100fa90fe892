/* A fiber is a thread of its own in the trace: what it does is not in the order of the thread that switches to it. The
 * switches themselves are told as tags, which have no name here. */
// ignores: libraries
#include "program.h"

void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);

int x;

int main(void) {
    void *main_fiber = __tsan_get_current_fiber();
    void *fiber = __tsan_create_fiber(0); //: T0 fork(T1)
    *(volatile int *)&x = 1; //: T0 w4(x) =1
    __tsan_switch_to_fiber(fiber, 0);
    *(volatile int *)&x = 2; //: T1 w4(x) =2
    __tsan_switch_to_fiber(main_fiber, 0);
    x = 3;                                //: T0 w4(x) =3
    __tsan_destroy_fiber(fiber);
    return 0;
}
