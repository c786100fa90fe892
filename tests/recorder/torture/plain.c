/* Built without instrumentation. */
#include <stdio.h>

int main(void) {
    puts("ran");
    return 0;
}
